-- Where a repeat came from is a value of filters too, as of signals: the names that there are come from an index.

create index occurrences_by_source on occurrences (workspace_id, source) where source is not null;
