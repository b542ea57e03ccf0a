-- An import that is taken back takes its edits back, too, and what comes again afterwards is as new.

create table imported_edits (
  transfer_id uuid not null,
  signal_id uuid not null,
  workspace_id uuid not null,
  was jsonb not null,
  words bigint,
  others bigint,
  before text not null,
  after text not null,
  primary key (transfer_id, signal_id),
  foreign key (workspace_id, transfer_id) references transfers (workspace_id, id) on delete cascade
);
comment on table imported_edits is
  'What signals and repeats said before an import edited them, for as long as the import can be taken back.';
comment on column imported_edits.was is 'What was written in it, after personal data was taken away.';
comment on column imported_edits.words is 'As in `imported_rows`, from before the edit.';
comment on column imported_edits.others is 'The same of what the row says beside its text.';
comment on column imported_edits.before is 'A hash of what was written in it before the edit.';
comment on column imported_edits.after is
  'The same of what the edit made of it: where the signal has another one, something has changed it since.';
create index imported_edits_by_signal on imported_edits (workspace_id, signal_id);
select guard_by_workspace('imported_edits');
grant select, insert, update, delete on imported_edits to assay_pipeline;
grant select on imported_edits to assay_app;

alter table claims add column erased_at timestamptz;
comment on column claims.erased_at is
  'When the signal that started it was erased, or all that was evidence of it. What comes again under the signal''s id '
  'starts another claim.';
create index claims_erased on claims (workspace_id, erased_at) where erased_at is not null;
