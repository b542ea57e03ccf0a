-- What a member looks after is a filter of Triage too, as of claims and Solutions.

create index signals_by_owner on signals (workspace_id, owner_id) where owner_id is not null;
