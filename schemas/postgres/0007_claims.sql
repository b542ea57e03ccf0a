create table claims (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  number integer not null,
  kind text not null check (kind in ('problem', 'opportunity')),
  title text not null check (length(title) between 1 and 300),
  statement text not null default '',
  state text not null default 'emerging' check (state in ('emerging', 'established', 'addressed', 'dismissed')),
  -- The survivor, once this claim was merged: the old reference keeps resolving.
  merged_into uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, number),
  unique (workspace_id, id),
  foreign key (workspace_id, merged_into) references claims (workspace_id, id)
);
create index claims_by_state on claims (workspace_id, state, updated_at desc);
select guard_by_workspace('claims');
grant select, insert, update on claims to assay_app, assay_pipeline;

create table claim_evidence (
  workspace_id uuid not null,
  claim_id uuid not null,
  signal_id uuid not null,
  -- `cluster` for the claim that a signal starts, `judge` for one that the language model confirmed, `member` for a person.
  attached_by text not null check (attached_by in ('cluster', 'judge', 'member')),
  actor text not null,
  reason text not null,
  attached_at timestamptz not null default now(),
  primary key (claim_id, signal_id),
  foreign key (workspace_id, claim_id) references claims (workspace_id, id),
  foreign key (workspace_id, signal_id) references signals (workspace_id, id)
);
create index claim_evidence_by_signal on claim_evidence (workspace_id, signal_id);
select guard_by_workspace('claim_evidence');
grant select, insert, delete on claim_evidence to assay_app, assay_pipeline;

-- Two claims that may be one. Similarity proposes; a person, or a judge that confirms the same root problem, decides.
create table merge_proposals (
  id uuid primary key,
  workspace_id uuid not null,
  claim_id uuid not null,
  candidate_claim_id uuid not null,
  -- Reciprocal rank fused over full text and vectors; only comparable within one workspace and model.
  score real not null,
  similarity real,
  state text not null default 'waiting' check (state in ('waiting', 'confirmed', 'refused')),
  reason text not null,
  proposed_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text,
  foreign key (workspace_id, claim_id) references claims (workspace_id, id),
  foreign key (workspace_id, candidate_claim_id) references claims (workspace_id, id),
  check (claim_id <> candidate_claim_id)
);
-- A pair has one proposal for ever, whichever way round: what was refused is never proposed again.
create unique index merge_proposals_by_pair on merge_proposals
  (workspace_id, least(claim_id, candidate_claim_id), greatest(claim_id, candidate_claim_id));
create index merge_proposals_waiting on merge_proposals (workspace_id, proposed_at) where state = 'waiting';
select guard_by_workspace('merge_proposals');
grant select, insert, update on merge_proposals to assay_app, assay_pipeline;
