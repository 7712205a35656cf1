-- What administrators chose for the whole hub, by name; see `Accounts.isUserListOpen`.
CREATE TABLE hub_choice(key text COLLATE "C" PRIMARY KEY, value bigint NOT NULL);
