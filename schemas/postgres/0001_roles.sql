-- Who the programs work as. None can log in: a transaction takes a role
-- on with `set local role`. Roles belong to the server and may be there already, made for another database of it.
do $$
declare
  program_role text;
begin
  foreach program_role in array array[
    'assay_app', 'assay_pipeline', 'assay_accounts', 'assay_edge', 'assay_search', 'assay_sandbox', 'assay_transfer'
  ] loop
    if not exists (select from pg_roles where rolname = program_role) then
      execute format('create role %I nologin', program_role);
    end if;
    execute format('grant %I to current_user', program_role);
    execute format('grant usage on schema public to %I', program_role);
  end loop;
end
$$;

create extension if not exists vector;
