create table signals (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  number integer not null,
  source_id uuid,
  channel text not null check (channel in ('webhook', 'code_host', 'email', 'connection', 'capture')),
  -- Scrubbed, like every text of this row.
  text text not null,
  text_hash bytea not null,
  event text,
  source text,
  source_url text,
  actor_name text,
  actor_email text,
  actor_key text,
  signal_origin text not null check (signal_origin in ('customer', 'internal', 'operational')),
  actor_role text not null check (actor_role in ('user', 'pm', 'designer', 'engineer', 'system')),
  metadata jsonb not null default '{}',
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  inserted_at timestamptz not null default now(),
  classification text not null check (classification in ('problem', 'idea', 'question', 'unclassified')),
  classification_confidence real not null,
  classification_version text not null,
  node_id uuid,
  node_score real,
  state text not null default 'triage' check (state in ('triage', 'accepted', 'dismissed')),
  version integer not null default 1,
  search tsvector not null generated always as (to_tsvector('simple', left(text, 20000))) stored,
  unique (workspace_id, number),
  unique (workspace_id, id),
  foreign key (workspace_id, node_id) references map_nodes (workspace_id, id) on delete set null (node_id)
);
create index signals_by_text on signals (workspace_id, text_hash);
create index signals_by_state on signals (workspace_id, state, number desc);
create index signals_by_search on signals using gin (search);
select guard_by_workspace('signals');
grant select, update on signals to assay_app;
grant select, insert, update on signals to assay_pipeline;

-- Apart from the signal, so that reading signals never drags 4 KB of vector along. `bits` is its quantized form: the cheap
-- first look of a neighbour search, which ranks the best again by exact cosine.
create table signal_vectors (
  signal_id uuid not null,
  workspace_id uuid not null,
  -- The signal's number, to ask for those that came after a point.
  number integer not null,
  model text not null,
  embedding vector(1024) not null,
  bits bit(1024) not null generated always as (binary_quantize(embedding)::bit(1024)) stored,
  primary key (signal_id, model),
  foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade
);
create index signal_vectors_by_workspace on signal_vectors (workspace_id, model, number);
alter table signal_vectors alter column embedding set storage external;
select guard_by_workspace('signal_vectors');
grant select on signal_vectors to assay_app;
grant select, insert on signal_vectors to assay_pipeline;

-- A repeat of a signal. The duplicate's own id is the key: counting it twice is impossible, and it resolves to its original.
create table occurrences (
  id uuid primary key,
  workspace_id uuid not null,
  signal_id uuid not null,
  reason text not null check (reason in ('same_text', 'near_duplicate')),
  similarity real not null,
  source_id uuid,
  channel text not null,
  source text,
  source_url text,
  actor_name text,
  actor_key text,
  signal_origin text not null,
  actor_role text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  foreign key (workspace_id, signal_id) references signals (workspace_id, id)
);
create index occurrences_by_signal on occurrences (workspace_id, signal_id);
select guard_by_workspace('occurrences');
grant select on occurrences to assay_app;
grant select, insert on occurrences to assay_pipeline;

-- Under row-level security a full-text match would read the whole workspace: the planner may not use the index before the policy is
-- checked. This function checks the workspace itself and works as a role that sees every row, so that the index is used.
do $$
begin
  if not exists (select from pg_roles where rolname = 'assay_search') then
    create role assay_search nologin;
  end if;
  grant assay_search to current_user;
end
$$;
grant usage, create on schema public to assay_search;
create policy search on signals for select to assay_search using (true);
grant select (id, workspace_id, search) on signals to assay_search;

-- Signals of a workspace that have the word, at most so many, in no order. No rows for a workspace that the transaction is not for.
create function signals_with_word(workspace uuid, word text, at_most integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
    select id from signals
    where workspace_id = workspace
      and (workspace = nullif(current_setting('assay.workspace_id', true), '')::uuid
        or workspace = any (nullif(current_setting('assay.workspace_ids', true), '')::uuid[]))
      -- Quoted as a tsquery wants it, so that no sign in the word is an operator.
      and search @@ ('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''')::tsquery
    limit at_most
  $$;
alter function signals_with_word(uuid, text, integer) owner to assay_search;
revoke create on schema public from assay_search;
revoke execute on function signals_with_word(uuid, text, integer) from public;
grant execute on function signals_with_word(uuid, text, integer) to assay_app, assay_pipeline;
