#!/usr/bin/env python3
"""Writes the videos of a generated log to an SQLite database, with an index for the newest unwatched videos.

    log-to-sqlite.py LOG DATABASE
"""
import json
import sqlite3
import sys

log, path = sys.argv[1:]
database = sqlite3.connect(path)
database.executescript("""
  pragma journal_mode = off; pragma synchronous = off;
  create table videos (
    id text primary key, channel text, title text, link text, published text,
    status text default 'new', short integer, description text) without rowid;
""")
with open(log, encoding="utf-8") as lines:
    for line in lines:
        event = json.loads(line)
        match event["kind"]:
            case "videoFound":
                database.execute(
                    "insert into videos values (?, ?, ?, ?, ?, 'new', ?, ?)",
                    (event["video"], event["channel"], event["title"], event["link"], event["published"],
                     "/shorts/" in event["link"], event.get("description")))
            case "videoChanged":
                database.execute("update videos set title = ? where id = ?", (event["title"], event["video"]))
            case "statusSet":
                database.execute("update videos set status = ? where id = ?", (event["status"], event["video"]))
database.execute("create index newest on videos (status, short, published desc, id)")
database.commit()
database.execute("analyze")
database.commit()
