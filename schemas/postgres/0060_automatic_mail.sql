-- What no person wrote is kept as a dead letter that nothing is wrong with, until somebody makes a signal of it.
alter table dead_letters drop constraint dead_letters_fault_check;
alter table dead_letters add constraint dead_letters_fault_check
  check (fault in ('sender', 'ours', 'too_costly', 'transient', 'automatic'));
comment on column dead_letters.fault is
  'Who can end what made it a dead letter; automatic: nothing failed, a program wrote it and nobody made a signal of it.';
alter table dead_letters add column source_id uuid;
comment on column dead_letters.source_id is
  'The source that it came in through; null when an agent captured it, and for letters from before this was kept.';
create index dead_letters_automatic on dead_letters (workspace_id, source_id, last_failed_at desc)
  where state = 'waiting' and fault = 'automatic';
