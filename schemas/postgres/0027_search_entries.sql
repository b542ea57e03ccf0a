-- What the search finds, and when it changed last: every program that searches holds the words in memory, and reads what
-- changed since it read last. See `model/search`.

create table search_entries (
  id uuid not null,
  kind text not null,
  workspace_id uuid not null,
  changed_in xid8 not null default pg_current_xact_id(),
  model text,
  embedding vector(1024) storage external,
  bits bit(1024) generated always as (binary_quantize(embedding)::bit(1024)) stored,
  primary key (id, kind)
);
comment on table search_entries is
  'Every text that the search finds: one row for each, kept by triggers on the tables that have the texts.';
comment on column search_entries.changed_in is
  'The transaction that wrote the text last. Whoever keeps words in memory asks for all that was written since the oldest '
  'transaction that was open when it asked before: a number that counts up would leave out what commits late.';
comment on column search_entries.embedding is
  'What the text means, by `model`; null until the first search after it was written. Signals and nodes of the map have '
  'vectors of their own, and a claim means what its signals mean.';
create index search_entries_by_change on search_entries (workspace_id, changed_in, id, kind);
-- Those that have a vector here, or will have one.
create index search_entries_by_meaning on search_entries (workspace_id, model)
  where kind in ('solution', 'decision', 'living_doc', 'note');
select guard_by_workspace('search_entries', looked_up_by_index => true);
grant select, insert, update, delete on search_entries to assay_app, assay_pipeline;

-- Many rows are noted by one statement.
create function note_search_entries() returns trigger language plpgsql as $$
begin
  insert into search_entries (id, kind, workspace_id) select id, tg_argv[0], workspace_id from added
  on conflict (id, kind) do update set changed_in = excluded.changed_in, model = null, embedding = null;
  return null;
end
$$;

create function note_search_entry() returns trigger language plpgsql as $$
begin
  insert into search_entries (id, kind, workspace_id) values (new.id, tg_argv[0], new.workspace_id)
  on conflict (id, kind) do update set changed_in = excluded.changed_in, model = null, embedding = null;
  return null;
end
$$;

-- Whoever holds its words finds that there is no such text when it is to be shown.
create function remove_search_entries() returns trigger language plpgsql as $$
begin
  delete from search_entries using removed where search_entries.id = removed.id and search_entries.kind = tg_argv[0];
  return null;
end
$$;

create function note_in_search(searched regclass, kind text, columns text[]) returns void language plpgsql as $$
declare
  differs text := (select string_agg(format('old.%1$I is distinct from new.%1$I', name), ' or ') from unnest(columns) as name);
begin
  execute format(
    'create trigger %1$s_noted_in_search after insert on %1$s
       referencing new table as added for each statement execute function note_search_entries(%2$L)', searched, kind);
  execute format(
    'create trigger %1$s_changes_noted_in_search after update of %3$s on %1$s
       for each row when (%4$s) execute function note_search_entry(%2$L)',
    searched, kind, array_to_string(columns, ', '), differs);
  execute format(
    'create trigger %1$s_removed_from_search after delete on %1$s
       referencing old table as removed for each statement execute function remove_search_entries(%2$L)', searched, kind);
  execute format(
    'insert into search_entries (id, kind, workspace_id) select id, %2$L, workspace_id from %1$s', searched, kind);
end
$$;

select note_in_search('signals', 'signal', '{text,event,source,source_url,actor_name,metadata}');
select note_in_search('occurrences', 'repeat', '{text,source,source_url,actor_name,metadata,signal_id}');
select note_in_search('claims', 'claim', '{title,statement,merged_into}');
select note_in_search('solutions', 'solution', '{title,summary}');
select note_in_search('map_nodes', 'node', '{name,description,examples}');
select note_in_search('decisions', 'decision', '{statement}');
select note_in_search('living_documents', 'living_doc', '{markdown,newest}');
select note_in_search('knowledge_notes', 'note', '{text}');
