-- What each call changed, row by row, so that it can be taken back by the change's id: see `model/undo`.
--
-- A transaction that sets `assay.change_id` has its rows kept. Triggers do that, so that no write can forget it; without
-- the setting they cost a look at it.

create table changes (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  place bigint not null generated always as identity,
  operation text not null,
  action text,
  made_by uuid not null,
  made_by_name text not null,
  key_id uuid,
  key_label text,
  made_at timestamptz not null,
  for_people boolean not null,
  undoes uuid,
  undone_by uuid
);
comment on table changes is
  'Calls that changed something that can be taken back, for 90 days. Each has its rows in `changed_rows`.';
comment on column changes.place is 'Counts up as changes are made.';
comment on column changes.action is 'What the call was told to do, where its operation does several things.';
comment on column changes.key_id is 'The key that it was made through; null for the app.';
comment on column changes.for_people is 'Whether only people may make such a change: then only they take it back.';
comment on column changes.undoes is 'The change that this one took back; null for any other.';
comment on column changes.undone_by is 'The change that took this one back, as long as that stands.';
create index changes_by_key on changes (workspace_id, key_id, place desc) where key_id is not null;
create index changes_by_member on changes (workspace_id, made_by, place desc);
create index changes_by_age on changes (made_at);

create table changed_rows (
  id bigint primary key generated always as identity,
  workspace_id uuid not null,
  change_id uuid not null references changes (id) on delete cascade deferrable initially deferred,
  table_name text not null,
  key text not null,
  was text not null check (was in ('insert', 'update', 'delete')),
  columns text[],
  before jsonb,
  after jsonb,
  names uuid[]
);
comment on table changed_rows is 'What a change did to a row. Nothing secret is in it.';
comment on column changed_rows.key is
  'The row''s primary key, as JSON. As text, because a policy lets no index compare JSON.';
comment on column changed_rows.was is 'What happened to the row.';
comment on column changed_rows.columns is
  'Of an update: which columns got another value, but for versions, times and the places in an order. Null for a row that came or went.';
comment on column changed_rows.before is 'Of an update these columns alone; of a row that went all that was in it.';
comment on column changed_rows.after is 'Of an update these columns alone; of a row that came all that is in it.';
comment on column changed_rows.names is 'The ids that stand in the row: its own, and those of what it is about.';
create index changed_rows_by_change on changed_rows (change_id, id);
create index changed_rows_by_key on changed_rows (workspace_id, table_name, key, id);
create index changed_rows_in_order on changed_rows (workspace_id, id);

-- No export takes them along: what was done elsewhere is not taken back here.
select guard_against_other_workspaces('changes');
select guard_for_sandbox('changes');
select guard_against_other_workspaces('changed_rows');
select guard_for_sandbox('changed_rows');
create policy clearing on changes to assay_accounts using (true);
grant select, insert, update on changes to assay_app;
grant select, insert on changed_rows to assay_app;
-- What was not asked for is forgotten with the transaction that made it.
grant delete on changed_rows to assay_app;
grant select (id, made_at), delete on changes to assay_accounts;

-- Keeps what happened to a row. Its arguments: the columns of the key; those that are no part of what is taken back; and
-- the place in an order, which moves when others move.
create function keep_change() returns trigger language plpgsql set timezone = 'UTC' as $$
declare
  beside constant text[] := tg_argv[1]::text[];
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - beside end;
  becomes jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - beside end;
  one constant jsonb := coalesce(becomes, was);
  differing text[];
begin
  if tg_op = 'UPDATE' then
    differing := array(
      select told.key from jsonb_each(was - '{version,updated_at,changed_at}'::text[]) as told
      where told.value is distinct from becomes -> told.key);
    was := coalesce((select jsonb_object_agg(name, was -> name) from unnest(differing) as name), '{}');
    becomes := coalesce((select jsonb_object_agg(name, becomes -> name) from unnest(differing) as name), '{}');
  end if;
  insert into changed_rows (workspace_id, change_id, table_name, key, was, columns, before, after, names)
  values (
    (one ->> 'workspace_id')::uuid, current_setting('assay.change_id')::uuid, tg_table_name,
    (select jsonb_object_agg(name, one -> name)::text from unnest(tg_argv[0]::text[]) as name), lower(tg_op),
    case when tg_op = 'UPDATE' then array(select unnest(differing) except select unnest(tg_argv[2]::text[])) end,
    was, becomes,
    array(
      select told.value::uuid from jsonb_each_text(one) as told
      where (told.key = 'id' or told.key like '%\_id') and told.value like '________-____-____-____-____________'
        and told.key not in ('workspace_id', 'author_id', 'key_id')
        and (told.key <> 'decision_id' or tg_table_name = 'decision_objects')));
  return null;
end
$$;

create function keep_changes_of(kept regclass, key_columns text[], beside text[] default '{}', places text[] default '{}')
  returns void language plpgsql as $$
begin
  execute format(
    'create trigger %1$s_changes_kept after insert or update or delete on %1$s
       for each row when (current_setting(''assay.change_id'', true) <> '''') execute function keep_change(%2$L, %3$L, %4$L)',
    kept, key_columns, beside, places);
end
$$;

select keep_changes_of('signals', '{id}');
select keep_changes_of('occurrences', '{id}');
select keep_changes_of('snoozes', '{signal_id}');
select keep_changes_of('taken_out_repeats', '{id}');
select keep_changes_of('claims', '{id}');
select keep_changes_of('claim_evidence', '{claim_id,signal_id}');
select keep_changes_of('merge_proposals', '{id}');
select keep_changes_of('merges', '{id}');
select keep_changes_of('decisions', '{id}');
select keep_changes_of('decision_objects', '{id}');
select keep_changes_of('decision_reversals', '{workspace_id,decision_id}');
select keep_changes_of('solutions', '{id}');
select keep_changes_of('solution_claims', '{solution_id,claim_id}');
select keep_changes_of('handoffs', '{id}');
select keep_changes_of('living_documents', '{id}');
select keep_changes_of('outcomes', '{id}');
select keep_changes_of('outcome_points', '{outcome_id,metric_point_id}');
select keep_changes_of('knowledge_notes', '{id}');
select keep_changes_of('groups', '{id}');
select keep_changes_of('group_solutions', '{group_id,solution_id}');
select keep_changes_of('strategy_elements', '{id}', places => '{position}');
select keep_changes_of('strategy_claims', '{element_id,claim_id}');
select keep_changes_of('strategy_solutions', '{element_id,solution_id}');
select keep_changes_of('roadmap_items', '{solution_id}', places => '{position}');
select keep_changes_of('product_reviews', '{id}');
select keep_changes_of('map_nodes', '{id}');
select keep_changes_of('map_node_vectors', '{node_id,model,ordinal}');
select keep_changes_of('metric_bindings', '{node_id,metric_id}');
select keep_changes_of('node_lessons', '{signal_id}');
select keep_changes_of('sources', '{id}',
  '{sealed_secret,secret_hash,previous_sealed_secret,previous_secret_hash,previous_valid_until}');
select keep_changes_of('dead_letters', '{signal_id,step}', '{record,next_redrive_at}');

-- What a member made goes again when that is taken back.
grant delete on knowledge_notes, outcomes, product_reviews, merge_proposals to assay_app;

-- What was taken away and put there anew gets its values back.
grant update on map_node_vectors, outcome_points to assay_app;

-- What hangs on the Decisions of a workspace last: whoever watches it sees a Decision that is used again.
create index decision_objects_by_age on decision_objects (workspace_id, id desc);
grant select (id, workspace_id) on decision_objects to assay_pipeline;
