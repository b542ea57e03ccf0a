create table signals (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  number integer not null,
  source_id uuid,
  channel text not null check (channel in ('webhook', 'code_host', 'email', 'connection', 'capture')),
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
comment on table signals is
  'One thing that somebody said, or a program reported, after personal data was removed from all of its texts.';
comment on column signals.text is 'Scrubbed, like every text of this row.';
comment on column signals.actor_key is
  'The hash of an address: one person is one actor wherever their address is known.';
comment on column signals.occurred_at is 'When it was said, as far as the sender tells.';
comment on column signals.node_id is 'The map node that is nearest to its meaning.';
create index signals_by_text on signals (workspace_id, text_hash);
create index signals_by_state on signals (workspace_id, state, number desc);
-- What is anchored to a node, the newest first: counted for the map, and cleared when the node goes.
create index signals_by_node on signals (workspace_id, node_id, number desc) where node_id is not null;
select guard_by_workspace('signals', looked_up_by_index => true);
select make_searchable('signals');
grant select, update on signals to assay_app;
grant select, insert, update on signals to assay_pipeline;

create table signal_vectors (
  signal_id uuid not null,
  workspace_id uuid not null,
  place integer not null,
  model text not null,
  embedding vector(1024) storage external not null,
  bits bit(1024) not null generated always as (binary_quantize(embedding)::bit(1024)) stored,
  primary key (signal_id, model),
  foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade
);
comment on table signal_vectors is
  'What a signal means, as a model embeds it. Apart from the signal, so that reading signals never drags 4 KB of '
  'vector along.';
comment on column signal_vectors.place is
  'The vector''s place among those of its workspace and model, in the order in which they were stored: whoever '
  'keeps neighbours in memory asks for what came after the last place that it knows. The signal''s number cannot '
  'say that, since an old signal may get a vector of another model late.';
comment on column signal_vectors.bits is
  'The quantized form: the cheap first look of a neighbour search, which ranks the best again by exact cosine.';
create unique index signal_vectors_by_place on signal_vectors (workspace_id, model, place);
select guard_by_workspace('signal_vectors', looked_up_by_index => true);
grant select on signal_vectors to assay_app;
grant select, insert, update, delete on signal_vectors to assay_pipeline;

-- The words of signals, kept by triggers on `signals`: whoever writes a signal's text writes its words with it.

create table signal_words (
  workspace_id uuid not null,
  word bigint not null,
  number integer not null,
  signal_id uuid not null,
  primary key (workspace_id, word, number) include (signal_id)
);
comment on table signal_words is
  'The longer words of each signal, for those that share some of them. By workspace and word, the newest first: a '
  'look-up reads no further than it needs, where the full-text index would read every signal that has the word. '
  'Triggers alone write it, beside the signal itself: a foreign key would look each word up again.';
comment on column signal_words.word is 'The word''s hash; see `word_hash`.';
comment on column signal_words.number is 'The signal''s number.';
select guard_by_workspace('signal_words', looked_up_by_index => true);
grant select, insert, delete on signal_words to assay_app, assay_pipeline;

create function word_hash(lexeme text) returns bigint language sql immutable parallel safe as $$
  select hashtextextended(lexeme, 0)
$$;

-- The words of a text that say the most about it, as far as their length tells: those of at least four letters, the
-- longest first.
create function searchable_words(search tsvector, at_most integer) returns setof text
  language sql immutable parallel safe as $$
  select lexeme from unnest(tsvector_to_array(search)) as lexeme
  where length(lexeme) >= 4
  order by length(lexeme) desc, lexeme
  limit at_most
$$;

create function store_signal_words() returns trigger language plpgsql as $$
begin
  insert into signal_words (workspace_id, word, number, signal_id)
  select added.workspace_id, word_hash(lexeme), added.number, added.id
  from added cross join lateral searchable_words(added.search, 10) as lexeme
  on conflict do nothing;
  return null;
end
$$;
create trigger signals_words_stored after insert on signals
  referencing new table as added for each statement execute function store_signal_words();

create function replace_signal_words() returns trigger language plpgsql as $$
begin
  if not exists (select from added join removed using (id) where added.search is distinct from removed.search) then
    return null;
  end if;
  delete from signal_words using added join removed using (id)
  where added.search is distinct from removed.search
    and signal_words.workspace_id = removed.workspace_id
    and signal_words.number = removed.number
    and signal_words.word in (select word_hash(lexeme) from unnest(tsvector_to_array(removed.search)) as lexeme);
  insert into signal_words (workspace_id, word, number, signal_id)
  select added.workspace_id, word_hash(lexeme), added.number, added.id
  from added join removed using (id) cross join lateral searchable_words(added.search, 10) as lexeme
  where added.search is distinct from removed.search
  on conflict do nothing;
  return null;
end
$$;
create trigger signals_words_replaced after update on signals
  referencing old table as removed new table as added for each statement execute function replace_signal_words();

create function remove_signal_words() returns trigger language plpgsql as $$
begin
  delete from signal_words using removed
  where signal_words.workspace_id = removed.workspace_id and signal_words.number = removed.number
    and signal_words.word in (select word_hash(lexeme) from unnest(tsvector_to_array(removed.search)) as lexeme);
  return null;
end
$$;
create trigger signals_words_removed after delete on signals
  referencing old table as removed for each statement execute function remove_signal_words();

create table signal_counts (
  workspace_id uuid not null references workspaces (id),
  state text not null,
  classification text not null,
  signals integer not null,
  primary key (workspace_id, state, classification)
);
comment on table signal_counts is
  'How many signals a workspace has of each state and classification, so that nobody counts them all to say so. '
  'Kept by triggers on `signals`.';
select guard_by_workspace('signal_counts');
grant select, insert, update on signal_counts to assay_app, assay_pipeline;

create function count_added_signals() returns trigger language plpgsql as $$
begin
  insert into signal_counts as counts (workspace_id, state, classification, signals)
  select workspace_id, state, classification, count(*) from added
  group by workspace_id, state, classification
  order by workspace_id, state, classification
  on conflict (workspace_id, state, classification) do update set signals = counts.signals + excluded.signals;
  return null;
end
$$;
create trigger added_signals_counted after insert on signals
  referencing new table as added for each statement execute function count_added_signals();

create function count_changed_signals() returns trigger language plpgsql as $$
begin
  insert into signal_counts as counts (workspace_id, state, classification, signals)
  select workspace_id, state, classification, sum(change)
  from (
    select workspace_id, state, classification, 1 as change from added
    union all
    select workspace_id, state, classification, -1 from removed
  ) as changes
  group by workspace_id, state, classification
  having sum(change) <> 0
  order by workspace_id, state, classification
  on conflict (workspace_id, state, classification) do update set signals = counts.signals + excluded.signals;
  return null;
end
$$;
create trigger changed_signals_counted after update on signals
  referencing old table as removed new table as added for each statement execute function count_changed_signals();
