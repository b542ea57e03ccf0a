-- An index of words gathers what is new in a list, by default of 4 MB, and hands the work of all of it to the row with which the list is full:
-- 0.7 s of the embedded database for one signal that came at the wrong time. With a list of 64 kB, the least there is, that is 50 ms. A look-up,
-- which goes through the list, has less to go through.
create or replace function make_searchable(searched text) returns void language plpgsql as $$
begin
  execute format(
    'create index %1$s_by_words on %1$I using gin (words_in_workspace(workspace_id, search)) with (gin_pending_list_limit = 64)',
    searched
  );
  execute format('grant select (id, workspace_id, search) on %I to assay_search', searched);
  execute format('create policy search on %I for select to assay_search using (true)', searched);
end
$$;

do $$
declare
  gathering regclass;
begin
  for gathering in
    select pg_class.oid::regclass from pg_class join pg_am on pg_am.oid = pg_class.relam
    where pg_am.amname = 'gin' and relnamespace = 'public'::regnamespace
  loop
    execute format('alter index %s set (gin_pending_list_limit = 64)', gathering);
    -- What is on the list goes into the index now, and burdens no signal.
    perform gin_clean_pending_list(gathering);
  end loop;
end
$$;
