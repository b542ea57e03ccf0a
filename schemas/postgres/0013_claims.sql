create table claims (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  number integer not null,
  kind text not null check (kind in ('problem', 'opportunity')),
  title text not null check (length(title) between 1 and 300),
  statement text not null default '',
  search tsvector not null
    generated always as (to_tsvector('simple', title || ' ' || left(statement, 20000))) stored,
  state text not null default 'emerging' check (state in ('emerging', 'established', 'addressed', 'dismissed')),
  merged_into uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, number),
  unique (workspace_id, id),
  foreign key (workspace_id, merged_into) references claims (workspace_id, id),
  constraint claim_not_merged_into_itself check (merged_into <> id)
);
comment on table claims is
  'What signals say together: a problem or an idea. An idea''s claim is shown as an Opportunity.';
comment on column claims.merged_into is 'The survivor, once this claim was merged: the old reference keeps resolving.';
create index claims_by_state on claims (workspace_id, state, updated_at desc);
create index claims_by_age on claims (workspace_id, created_at desc);
create index claims_merged on claims (workspace_id, merged_into) where merged_into is not null;
select guard_by_workspace('claims');
select make_searchable('claims');
grant select, insert, update on claims to assay_app, assay_pipeline;

create trigger claims_state_changed after update of state on claims
  for each row when (old.state is distinct from new.state) execute function record_state_change('claim');

-- No claim is merged into itself, by however many others. The check of the table refuses the circle of one; this
-- trigger refuses the longer ones, as that of the map does (`refuse_node_below_itself`).
create function refuse_claim_merged_into_itself() returns trigger language plpgsql as $$
declare
  most constant integer := 1000;
  survivor uuid := new.merged_into;
  merges integer := 0;
begin
  while survivor is not null loop
    merges := merges + 1;
    if survivor = new.id then
      raise exception 'a claim cannot be merged into itself'
        using errcode = '23514', constraint = 'claim_not_merged_into_itself';
    end if;
    if merges > most then
      raise exception 'a claim lives on by way of at most % others', most
        using errcode = '23514', constraint = 'claim_merges';
    end if;
    select merged_into into survivor from claims where id = survivor for share;
  end loop;
  return null;
end
$$;
create trigger claim_not_merged_into_itself after insert or update of merged_into on claims
  for each row when (new.merged_into is not null) execute function refuse_claim_merged_into_itself();

create table claim_evidence (
  workspace_id uuid not null,
  claim_id uuid not null,
  signal_id uuid not null,
  attached_by text not null check (attached_by in ('cluster', 'judge', 'member')),
  actor text not null,
  reason text not null,
  attached_at timestamptz not null default now(),
  origins uuid[] not null default '{}',
  lost_candidates jsonb not null default '[]',
  primary key (claim_id, signal_id),
  foreign key (workspace_id, claim_id) references claims (workspace_id, id),
  foreign key (workspace_id, signal_id) references signals (workspace_id, id)
);
comment on table claim_evidence is 'A signal that is attached to a claim, with who attached it and why.';
comment on column claim_evidence.attached_by is
  '`cluster` for the claim that a signal starts, `judge` for one that the language model confirmed, `member` for a '
  'person.';
comment on column claim_evidence.origins is
  'The claims that a row was brought here from when they were merged into this one. Empty for what this claim has '
  'of itself. A claim that is pulled apart takes along the rows that name it, or one merged into it before.';
comment on column claim_evidence.lost_candidates is
  'Where the judge attached the signal: the candidates that it did not become evidence of, and why.';
create index claim_evidence_by_signal on claim_evidence (workspace_id, signal_id);
-- For when a claim last gained evidence.
create index claim_evidence_by_time on claim_evidence (claim_id, attached_at);
-- What a judge attached, the last first: the log of what it did by itself.
create index claim_evidence_by_judge on claim_evidence (workspace_id, attached_at desc) where attached_by = 'judge';
select guard_by_workspace('claim_evidence', looked_up_by_index => true);
grant select, insert, update, delete on claim_evidence to assay_app, assay_pipeline;

-- Similarity proposes that two claims are one; a person, or a judge that confirms the same root problem, decides.

create table merge_proposals (
  id uuid primary key,
  workspace_id uuid not null,
  claim_id uuid not null,
  candidate_claim_id uuid not null,
  score real not null,
  similarity real,
  state text not null default 'waiting' check (state in ('waiting', 'confirmed', 'refused')),
  implied boolean not null default false,
  reason text not null,
  found_by text,
  proposed_at timestamptz not null default now(),
  judged_by text,
  judged_at timestamptz,
  decided_at timestamptz,
  decided_by text,
  decided_reason text,
  decision_id uuid,
  foreign key (workspace_id, claim_id) references claims (workspace_id, id),
  foreign key (workspace_id, candidate_claim_id) references claims (workspace_id, id),
  check (claim_id <> candidate_claim_id),
  foreign key (workspace_id, decision_id) references decisions (workspace_id, id)
);
comment on table merge_proposals is
  'Two claims that may be one. A pair that was refused stays apart for ever: no proposal between the two, or '
  'between claims that they were merged into, is waited for or carried out.';
comment on column merge_proposals.score is
  'Reciprocal rank fused over full text and vectors; only comparable within one workspace and model.';
comment on column merge_proposals.implied is
  'Nobody decided on this pair itself: its claims are one already, or were merged into two that are kept apart.';
comment on column merge_proposals.found_by is
  'The judge that finds the two claims to be the same, where its yes waits for people; `reason` is its own then.';
comment on column merge_proposals.judged_by is
  'Which judge was last asked about a waiting pair, and when: it is asked once, whatever came of it.';
comment on column merge_proposals.decision_id is
  'The Decision that it was settled with; null while it waits, and for what a judge settled.';
-- A pair has one proposal for ever, whichever way round: what was refused is never proposed again.
create unique index merge_proposals_by_pair on merge_proposals
  (workspace_id, least(claim_id, candidate_claim_id), greatest(claim_id, candidate_claim_id));
create index merge_proposals_waiting on merge_proposals (workspace_id, proposed_at) where state = 'waiting';
create index merge_proposals_decided on merge_proposals (workspace_id, state, decided_at desc) where state <> 'waiting';
create index merge_proposals_by_claim on merge_proposals (workspace_id, claim_id);
create index merge_proposals_by_candidate on merge_proposals (workspace_id, candidate_claim_id);
create index merge_proposals_by_decision on merge_proposals (decision_id) where decision_id is not null;
select guard_by_workspace('merge_proposals');
grant select, insert, update on merge_proposals to assay_app, assay_pipeline;

create table merges (
  id uuid primary key,
  workspace_id uuid not null,
  merged_claim_id uuid not null,
  survivor_claim_id uuid not null,
  merged_by text not null check (merged_by in ('member', 'judge')),
  actor text not null,
  reason text not null,
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
comment on table merges is 'What merging two claims did, so that it can be taken back.';
comment on column merges.actor is 'The member and the key that they work through, or the judge''s model.';
comment on column merges.lost_candidates is
  'Other claims that were proposed for the merged one, and what became of that.';
-- A claim is merged into one other at a time.
create unique index merges_in_force on merges (merged_claim_id) where undone_at is null;
create index merges_by_survivor on merges (workspace_id, survivor_claim_id);
create index merges_by_decision on merges (decision_id) where decision_id is not null;
create index merges_by_proposal on merges (proposal_id) where proposal_id is not null;
create index merges_by_time on merges (workspace_id, merged_at desc);
select guard_by_workspace('merges');
grant select, insert, update on merges to assay_app, assay_pipeline;

-- These three walk by index, row by row, and end whatever the table holds; see `map_path`.

-- The claim and all that were merged into it, directly or by way of others.
create function claim_lineage(claim uuid) returns setof uuid language sql stable as $$
  with recursive lineage as (
    select claim as id
    union
    select merged.id
    from lineage cross join lateral (select id from claims where merged_into = lineage.id offset 0) as merged
  )
  select id from lineage
$$;

-- The claim that it lives on in: itself, while it is not merged.
create function surviving_claim(claim uuid) returns uuid language sql stable as $$
  with recursive upwards as (
    select id, merged_into from claims where id = claim
    union
    select survivor.id, survivor.merged_into
    from upwards cross join lateral (
      select id, merged_into from claims where id = upwards.merged_into offset 0
    ) as survivor
  )
  select id from upwards where merged_into is null
$$;

-- The proposals of a claim and of all that were merged into it, each with the claim on its other side.
create function proposals_of_lineage(claim uuid) returns table (proposal_id uuid, other_claim_id uuid)
  language sql stable as $$
  select proposal.id, proposal.other_claim_id
  from claim_lineage(claim) as member
  cross join lateral (
    select id, candidate_claim_id as other_claim_id from merge_proposals where claim_id = member
    union all
    select id, claim_id from merge_proposals where candidate_claim_id = member
    offset 0
  ) as proposal
$$;
