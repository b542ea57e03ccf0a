-- An export of another tool is brought in again and again: a row that is here is not sent a second time.

create table imported_rows (
  signal_id uuid primary key,
  workspace_id uuid not null references workspaces (id)
);
comment on table imported_rows is
  'Rows of imported files that are signals, or on their way to be: the same row of another file is left out.';
comment on column imported_rows.signal_id is
  'Made of what tells the row from others. The row goes when its signal is erased.';
create index imported_rows_by_workspace on imported_rows (workspace_id);
select guard_by_workspace('imported_rows');
grant select, insert, delete on imported_rows to assay_pipeline;
grant select, delete on imported_rows to assay_app;

create function forget_imported_rows() returns trigger language plpgsql as $$
begin
  delete from imported_rows using removed where imported_rows.signal_id = removed.id;
  return null;
end
$$;
create trigger imported_rows_forgotten after delete on signals
  referencing old table as removed for each statement execute function forget_imported_rows();
create trigger imported_rows_forgotten after delete on occurrences
  referencing old table as removed for each statement execute function forget_imported_rows();
