create table occurrences (
  id uuid primary key,
  workspace_id uuid not null,
  signal_id uuid not null,
  reason text not null check (reason in ('same_text', 'near_duplicate', 'member')),
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
comment on table occurrences is
  'A signal that repeats a stored one; it is counted with the original. The pipeline finds it by its text or its '
  'meaning, or a member says so: then the repeat''s own row stays among the signals, dismissed, so that this can be '
  'taken back.';
comment on column occurrences.id is
  'The repeat''s own id: counting it twice is impossible, and it resolves to its original.';
comment on column occurrences.signal_id is 'The original.';
comment on column occurrences.similarity is 'Of the two texts; 1 where they are the same.';
create index occurrences_by_signal on occurrences (workspace_id, signal_id);
select guard_by_workspace('occurrences', looked_up_by_index => true);
grant select, insert, update, delete on occurrences to assay_app;
grant select, insert, update on occurrences to assay_pipeline;

create table occurrence_counts (
  workspace_id uuid primary key references workspaces (id),
  occurrences integer not null
);
comment on table occurrence_counts is
  'How many occurrences a workspace has: with `signal_counts`, what tells whether the signals have changed without '
  'a look at them. Kept by triggers on `occurrences`.';
select guard_by_workspace('occurrence_counts');
grant select, insert, update on occurrence_counts to assay_app, assay_pipeline;

create function count_added_occurrences() returns trigger language plpgsql as $$
begin
  insert into occurrence_counts as counts (workspace_id, occurrences)
  select workspace_id, count(*) from added group by workspace_id order by workspace_id
  on conflict (workspace_id) do update set occurrences = counts.occurrences + excluded.occurrences;
  return null;
end
$$;
create trigger added_occurrences_counted after insert on occurrences
  referencing new table as added for each statement execute function count_added_occurrences();

create function count_removed_occurrences() returns trigger language plpgsql as $$
begin
  update occurrence_counts as counts set occurrences = counts.occurrences - removed_of.removed
  from (select workspace_id, count(*) as removed from removed group by workspace_id) as removed_of
  where removed_of.workspace_id = counts.workspace_id;
  return null;
end
$$;
create trigger removed_occurrences_counted after delete on occurrences
  referencing old table as removed for each statement execute function count_removed_occurrences();
