-- What merging two claims moved, so that it can be taken back, and which pairs stay apart.

-- The claims that a row was brought here from when they were merged into this one. Empty for what this claim has of itself. A claim that is
-- pulled apart takes along the rows that name it, or one merged into it before.
alter table claim_evidence
  add column origins uuid[] not null default '{}',
  -- Where the judge attached the signal: the candidates that it did not become evidence of, and why.
  add column lost_candidates jsonb not null default '[]';
grant update on claim_evidence to assay_app, assay_pipeline;

alter table solution_claims add column origins uuid[] not null default '{}';
grant update on solution_claims to assay_app;
-- A merge that the judge confirms moves the Solutions' links as well.
grant select, insert, update, delete on solution_claims to assay_pipeline;

-- A refused pair stays apart for ever: no proposal between the two, or between claims that they were merged into, is waited for or carried out.
alter table merge_proposals
  add column decided_reason text,
  -- Nobody decided on this pair itself: its claims are one already, or were merged into two that are kept apart.
  add column implied boolean not null default false,
  -- The Decision that it was settled with; null while it waits, and for what a judge settled.
  add column decision_id uuid,
  add foreign key (workspace_id, decision_id) references decisions (workspace_id, id);
create index merge_proposals_by_claim on merge_proposals (workspace_id, claim_id);
create index merge_proposals_by_candidate on merge_proposals (workspace_id, candidate_claim_id);
create index merge_proposals_by_decision on merge_proposals (decision_id) where decision_id is not null;
create index merge_proposals_decided on merge_proposals (workspace_id, state, decided_at desc) where state <> 'waiting';
create index claims_merged on claims (workspace_id, merged_into) where merged_into is not null;

create table merges (
  id uuid primary key,
  workspace_id uuid not null,
  merged_claim_id uuid not null,
  survivor_claim_id uuid not null,
  merged_by text not null check (merged_by in ('member', 'judge')),
  -- The member and the key that they work through, or the judge's model.
  actor text not null,
  reason text not null,
  -- Other claims that were proposed for the merged one, and what became of that.
  lost_candidates jsonb not null default '[]',
  proposal_id uuid,
  decision_id uuid,
  merged_at timestamptz not null,
  undone_at timestamptz,
  undone_by text,
  foreign key (workspace_id, merged_claim_id) references claims (workspace_id, id),
  foreign key (workspace_id, survivor_claim_id) references claims (workspace_id, id),
  foreign key (workspace_id, decision_id) references decisions (workspace_id, id),
  check (merged_claim_id <> survivor_claim_id),
  check ((merged_by = 'member') = (decision_id is not null))
);
-- A claim is merged into one other at a time.
create unique index merges_in_force on merges (merged_claim_id) where undone_at is null;
create index merges_by_survivor on merges (workspace_id, survivor_claim_id);
create index merges_by_decision on merges (decision_id) where decision_id is not null;
create index merges_by_proposal on merges (proposal_id) where proposal_id is not null;
select guard_by_workspace('merges');
grant select, insert, update on merges to assay_app, assay_pipeline;

-- These three walk by index, row by row: `offset 0` keeps the planner, which knows little of tables that have just grown, from reading a whole
-- workspace for a handful of rows.

-- The claim and all that were merged into it, directly or by way of others.
create function claim_lineage(claim uuid) returns setof uuid language sql stable as $$
  with recursive lineage as (
    select claim as id
    union all
    select merged.id
    from lineage cross join lateral (select id from claims where merged_into = lineage.id offset 0) as merged
  )
  select id from lineage
$$;

-- The claim that it lives on in: itself, while it is not merged.
create function surviving_claim(claim uuid) returns uuid language sql stable as $$
  with recursive upwards as (
    select id, merged_into from claims where id = claim
    union all
    select survivor.id, survivor.merged_into
    from upwards cross join lateral (select id, merged_into from claims where id = upwards.merged_into offset 0) as survivor
  )
  select id from upwards where merged_into is null
$$;

-- The proposals of a claim and of all that were merged into it, each with the claim on its other side.
create function proposals_of_lineage(claim uuid) returns table (proposal_id uuid, other_claim_id uuid) language sql stable as $$
  select proposal.id, proposal.other_claim_id
  from claim_lineage(claim) as member
  cross join lateral (
    select id, candidate_claim_id as other_claim_id from merge_proposals where claim_id = member
    union all
    select id, claim_id from merge_proposals where candidate_claim_id = member
    offset 0
  ) as proposal
$$;
