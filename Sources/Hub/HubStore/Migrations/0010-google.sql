-- Google accounts of users: one for each, logins under way, and the units of the Data API that they took.

-- `sealed` is the refresh token, encrypted by a key that is in no database. `memory` is what a synchronisation keeps for
-- the next one, in JSON. `busy` is until when one works on the account, `due` when the next one may begin.
CREATE TABLE google_account(
  "user" text COLLATE "C" PRIMARY KEY REFERENCES "user" ON DELETE CASCADE ON UPDATE CASCADE,
  id text COLLATE "C" NOT NULL UNIQUE, sealed bytea NOT NULL, memory text NOT NULL, withdrawn bigint NOT NULL,
  due bigint NOT NULL, busy bigint NOT NULL, failures bigint NOT NULL);
CREATE INDEX google_account_due ON google_account(due) WHERE withdrawn = 0;

-- A login that was begun: `sealed` is the verifier (RFC 7636), or the code of the device (RFC 8628) with what the person
-- is shown in `shown`. It belongs to a session of a browser.
CREATE TABLE google_login(
  digest bytea PRIMARY KEY, "user" text COLLATE "C" NOT NULL REFERENCES "user" ON DELETE CASCADE ON UPDATE CASCADE,
  session text NOT NULL, sealed bytea NOT NULL, shown text NOT NULL, ends bigint NOT NULL, next bigint NOT NULL);
CREATE INDEX google_login_user ON google_login("user");

-- The units that a user took on a day; those of no user stand for a quota that is used up.
CREATE TABLE google_units("user" text COLLATE "C" PRIMARY KEY, day text NOT NULL, used bigint NOT NULL);
