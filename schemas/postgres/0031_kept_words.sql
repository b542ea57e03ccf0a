-- What changes keep of words is cleaned with the words themselves: the job `re_scrub` looks through it.
grant select, update (before, after) on changed_rows to assay_pipeline;
create index changed_words on changed_rows (workspace_id, table_name, id)
  where table_name in ('signals', 'occurrences', 'claims', 'claim_evidence', 'merge_proposals', 'merges');

-- What took a change back is found by it.
create index changes_by_undone on changes (workspace_id, undoes) where undoes is not null;
