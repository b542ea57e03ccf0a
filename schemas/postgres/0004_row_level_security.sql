-- The walls between workspaces. A table with a `workspace_id` is guarded by
--
--   select guard_by_workspace('<table>');
--
-- after it is made; tables of who may enter, or of what the programs keep for themselves, take fewer of its parts. A
-- setting that is absent reads as null, and null matches no row.

-- The app sees one workspace, the pipeline those of its batch. Each setting is read in a subquery, once a statement:
-- read beside the column, PostgreSQL would parse a batch's list of workspaces again for every row (0.17 ms a row for
-- 160 of them on the embedded database).
--
-- `looked_up_by_index`: for tables of which every statement of the pipeline names the workspace or the row itself. The
-- policy is a comparison of a row's workspace to the batch's list, which an index led by the workspace takes as a
-- condition too, and PostgreSQL 16 then walks the whole list for each look-up (36 of 40 microseconds with 100
-- workspaces). `is true` leaves it to the row.
create function guard_against_other_workspaces(guarded regclass, looked_up_by_index boolean default false) returns void
  language plpgsql as $$
declare
  of_the_app constant text :=
    '(workspace_id = (select nullif(current_setting(''assay.workspace_id'', true), '''')::uuid))';
  of_the_batch constant text :=
    '(workspace_id = any ((select nullif(current_setting(''assay.workspace_ids'', true), '''')::uuid[])::uuid[]))';
begin
  execute format('alter table %s enable row level security', guarded);
  execute format('alter table %s force row level security', guarded);
  execute format('create policy app on %s to assay_app using %s with check %2$s', guarded, of_the_app);
  execute format(
    'create policy pipeline on %s to assay_pipeline using (%s %s) with check %2$s',
    guarded, of_the_batch, case when looked_up_by_index then 'is true' end);
end
$$;

-- The transaction's workspace where it is a sandbox or was deleted, else null.
create function sandbox_workspace() returns uuid language sql stable as $$
  select id from workspaces
  where (sandbox or deleted_at is not null) and id = nullif(current_setting('assay.workspace_id', true), '')::uuid
$$;

-- `assay_sandbox` empties and fills sandboxes, and empties deleted workspaces: it sees every row of one workspace, may
-- remove it, and sees nothing at all of a workspace that is neither.
create function guard_for_sandbox(guarded regclass) returns void language plpgsql as $$
begin
  execute format(
    'create policy sandbox on %s to assay_sandbox
       using (workspace_id = (select sandbox_workspace()))
       with check (workspace_id = (select sandbox_workspace()))',
    guarded);
  execute format('grant select, insert, update, delete on %s to assay_sandbox', guarded);
end
$$;

-- `assay_transfer` writes everything of a workspace into an export, and reads an export into an empty workspace.
create function allow_transfers(guarded regclass) returns void language plpgsql as $$
begin
  execute format(
    'create policy transfer on %s to assay_transfer
       using (workspace_id = (select nullif(current_setting(''assay.workspace_id'', true), '''')::uuid))
       with check (workspace_id = (select nullif(current_setting(''assay.workspace_id'', true), '''')::uuid))',
    guarded);
  -- All of it, because the tables' triggers change other tables for whoever writes.
  execute format('grant select, insert, update, delete on %s to assay_transfer', guarded);
end
$$;

create function guard_by_workspace(guarded regclass, looked_up_by_index boolean default false) returns void
  language plpgsql as $$
begin
  perform guard_against_other_workspaces(guarded, looked_up_by_index);
  perform guard_for_sandbox(guarded);
  perform allow_transfers(guarded);
end
$$;
