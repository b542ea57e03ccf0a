-- Refused requests that are alike are counted before they become an event, so that a flood of them is one row.
ALTER TABLE activity ADD COLUMN IF NOT EXISTS times UInt32 DEFAULT 1 AFTER work_units;
