-- A signal that is replayed takes its steps again: the trace tells its replays apart.
ALTER TABLE activity ADD COLUMN IF NOT EXISTS replay UInt16 DEFAULT 0 AFTER attempt;
