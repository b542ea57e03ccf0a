-- The chance that a proposed pair is the same, and the bar that a workspace's people are shown pairs above.

alter table merge_proposals add column chance real check (chance > 0 and chance < 1);
comment on column merge_proposals.chance is
  'That the two are the same, as the model of all workspaces has it: see `model/merges/chance`. What the workspace''s own '
  'decisions make of it is found when it is read. Null for what nobody proposed, and for what was proposed before there was a model.';
alter table merge_proposals drop constraint merge_proposals_state_check;
alter table merge_proposals add constraint merge_proposals_state_check
  check (state in ('waiting', 'set_aside', 'confirmed', 'refused'));
comment on column merge_proposals.state is
  '`set_aside`: it would wait, but its chance is not above the workspace''s bar. Nobody sees it until the bar falls.';
create index merge_proposals_by_chance on merge_proposals (workspace_id, state, coalesce(chance, 0::real) desc)
  where state in ('waiting', 'set_aside') and found_by is null;

create table proposal_bars (
  workspace_id uuid primary key references workspaces (id),
  bar real not null default 0,
  shift real not null default 0,
  learned_from integer not null default 0,
  changed_at timestamptz not null default now()
);
comment on table proposal_bars is
  'How likely a pair must be so that the people of a workspace are asked about it, and what their decisions say of chances.';
comment on column proposal_bars.bar is
  'A pair waits if its chance, as it is stored, is above it. 0 until more pairs wait than people settle.';
comment on column proposal_bars.shift is
  'Added to the logarithm of the odds of each chance, as learned from so many decisions of the workspace''s people.';
select guard_by_workspace('proposal_bars');
grant select, insert, update on proposal_bars to assay_app, assay_pipeline;
