-- Work that is done again is one job of its kind at a time in a workspace. Replays are apart: each has dead letters of its own.
create unique index jobs_one_running on jobs (workspace_id, kind) where state = 'running' and kind <> 'replay';

-- How often a workspace's map changed. Whoever changes the map, or stores what was made from it, holds the row until the transaction ends.
create table map_revisions (
  workspace_id uuid primary key references workspaces (id),
  revision integer not null default 0,
  -- The revision by which the signals were last anchored, all of them.
  anchored integer not null default 0
);
select guard_by_workspace('map_revisions');
grant select, insert, update on map_revisions to assay_app, assay_pipeline;

-- Which judge was last asked about a waiting pair, and when: it is asked once, whatever came of it.
alter table merge_proposals
  add column judged_by text,
  add column judged_at timestamptz;

-- A node gets vectors of another model, and a text loses what newer rules find in it.
grant insert, delete on map_node_vectors to assay_pipeline;
grant update on signal_vectors, occurrences, claim_evidence to assay_pipeline;
-- A proposal that was decided is read with the number of its Decision.
grant select (id, workspace_id, number) on decisions to assay_pipeline;
