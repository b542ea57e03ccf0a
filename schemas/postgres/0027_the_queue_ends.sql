-- A queue of proposals that ends: what people settle makes no room for less likely pairs.

alter table proposal_bars add column asked_for integer not null default 0 check (asked_for >= 0);
comment on column proposal_bars.asked_for is
  'Places for pairs, beside those that the workspace has for its signals: people asked to see less likely ones.';
alter table merge_proposals add column withdrawn_by uuid;
comment on column merge_proposals.withdrawn_by is
  'The refused proposal that says the same as this one, which is out of sight as long as the refusal stands. Null for any other.';
create index merge_proposals_withdrawn on merge_proposals (withdrawn_by) where withdrawn_by is not null;
comment on column merge_proposals.state is
  '`set_aside`: it would wait, but its chance is not above the workspace''s bar. Nobody sees it until signals come, or somebody asks for more.';
create index merge_proposals_settled_by_people on merge_proposals (workspace_id)
  where state in ('confirmed', 'refused') and not implied and decision_id is not null and found_by is null and chance is not null;
