-- What an owner's log says of videos that feeds may never show, as Schema.swift has it.
CREATE TABLE all_described(
  owner bigint NOT NULL DEFAULT current_owner(), video bigint NOT NULL,
  title text COLLATE "C", channel text COLLATE "C", channel_title text COLLATE "C", published bigint, duration bigint,
  source text COLLATE "C" NOT NULL, described_at bytea NOT NULL,
  PRIMARY KEY(owner, video));
CREATE VIEW described AS
  SELECT owner, video, title, channel, channel_title, published, duration, source, described_at FROM all_described
  WHERE owner = current_owner();
