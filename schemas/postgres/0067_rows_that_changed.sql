-- A row that is here with other words is edited, and an import is taken back as a whole.

alter table imported_rows
  add column transfer_id uuid,
  add column words bigint,
  add column others bigint;
comment on column imported_rows.signal_id is 'Made of what tells the row from others. The row goes when its signal is erased.';
comment on column imported_rows.transfer_id is 'Which import brought the row; null for one from before this was noted.';
comment on column imported_rows.words is
  'A keyed hash of the row''s text, by which it is known to have changed; null where no column names the rows.';
comment on column imported_rows.others is 'The same of what the row says beside its text.';
drop index imported_rows_by_workspace;
create index imported_rows_by_transfer on imported_rows (workspace_id, transfer_id, signal_id);
grant update (words, others) on imported_rows to assay_pipeline;

-- A repeat that becomes a signal leaves its table, and its row stays known: an erasure removes the row itself.
drop trigger imported_rows_forgotten on signals;
drop trigger imported_rows_forgotten on occurrences;

-- What repeated a signal until it was edited becomes a signal of its own.
grant insert on taken_out_repeats to assay_pipeline;

update transfers set report = report || '{"changed": 0, "reworded": 0, "changed_rows": []}' where report ? 'known';
alter table transfers add column taken_back_at timestamptz;
comment on column transfers.taken_back_at is 'When somebody took the import back; an erasure removes its signals.';
grant update (taken_back_at) on transfers to assay_app;

alter table erasures drop constraint erasures_what_check;
alter table erasures add constraint erasures_what_check
  check (what in ('person', 'signal', 'source', 'age', 'import'));
