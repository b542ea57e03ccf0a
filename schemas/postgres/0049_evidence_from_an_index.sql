-- A claim may stand on tens of thousands of signals. Counting them, and finding the newest, is answered by the index
-- alone, with the workspace that each row is guarded by.

drop index claim_evidence_by_newest;
create index claim_evidence_by_newest on claim_evidence (claim_id, newest_at) include (workspace_id, signal_id);
