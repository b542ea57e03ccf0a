-- Who the programs work as (see infra/postgres/port.ts). None can log in: a transaction takes a role on with `set local role`.
do $$
declare
  program_role text;
begin
  foreach program_role in array array['assay_app', 'assay_pipeline', 'assay_accounts', 'assay_edge'] loop
    if not exists (select from pg_roles where rolname = program_role) then
      execute format('create role %I nologin', program_role);
    end if;
    execute format('grant %I to current_user', program_role);
    execute format('grant usage on schema public to %I', program_role);
  end loop;
end
$$;

create extension if not exists vector;

-- Puts a table that has a `workspace_id` under row-level security: the app sees one workspace, the pipeline those of its batch.
-- A setting that is absent reads as null, and null matches no row. Each setting is read in a subquery, once a statement: read beside the
-- column, PostgreSQL would parse a batch's list of workspaces again for every row (0.17 ms a row for 160 of them on the embedded database).
create function guard_by_workspace(guarded regclass) returns void
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', guarded);
  execute format('alter table %s force row level security', guarded);
  execute format(
    'create policy app on %s to assay_app
       using (workspace_id = (select nullif(current_setting(''assay.workspace_id'', true), '''')::uuid))
       with check (workspace_id = (select nullif(current_setting(''assay.workspace_id'', true), '''')::uuid))', guarded);
  execute format(
    'create policy pipeline on %s to assay_pipeline
       using (workspace_id = any ((select nullif(current_setting(''assay.workspace_ids'', true), '''')::uuid[])::uuid[]))
       with check (workspace_id = any ((select nullif(current_setting(''assay.workspace_ids'', true), '''')::uuid[])::uuid[]))', guarded);
end
$$;
