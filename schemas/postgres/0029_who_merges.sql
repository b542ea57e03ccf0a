-- Who merges claims that a judge finds to be the same: the judge itself, or people, for whom its yes then waits as a proposal.
alter table workspaces add column who_merges text not null default 'judge' check (who_merges in ('people', 'judge'));

-- The step that clusters follows the rule of each workspace of its batch.
create policy pipeline on workspaces for select to assay_pipeline
  using (id = any ((select nullif(current_setting('assay.workspace_ids', true), '')::uuid[])::uuid[]));
grant select (id, who_merges) on workspaces to assay_pipeline;

-- The judge that finds the two claims of a proposal to be the same, where its yes waits for people; `reason` is its own then.
alter table merge_proposals add column found_by text;

-- What a judge attached, the last first: the log of what it did by itself.
create index claim_evidence_by_judge on claim_evidence (workspace_id, attached_at desc) where attached_by = 'judge';
