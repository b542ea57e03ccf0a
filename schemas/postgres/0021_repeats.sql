-- A repeat keeps what was said. Of what a member said repeats another, its own row among the signals has the words.

alter table occurrences
  add column text text,
  add column event text,
  add column actor_email text,
  add column metadata jsonb,
  -- What has the words of its original needs no place of its own in the search.
  add column search tsvector generated always as (
    case when reason = 'near_duplicate' then to_tsvector('simple', left(text, 20000)) end) stored;
comment on column occurrences.text is
  'What was said, scrubbed like every text of this row. Null for a repeat that came before the words were kept, and '
  'for what a member said repeats another: that has them in its row among the signals.';
comment on column occurrences.search is 'Of words that are not the original''s.';
select make_searchable('occurrences');

-- The newest repeats of a signal are read without a look at the others.
drop index occurrences_by_signal;
create index occurrences_by_signal on occurrences (workspace_id, signal_id, received_at, id);

-- A repeat that was taken out leaves its original when its row among the signals is inserted.
grant delete on occurrences to assay_pipeline;

create table taken_out_repeats (
  id uuid primary key,
  workspace_id uuid not null,
  original_id uuid not null,
  in_force boolean not null default true,
  replay integer not null,
  taken_out_at timestamptz not null,
  sent_at timestamptz,
  foreign key (workspace_id, original_id) references signals (workspace_id, id)
);
comment on table taken_out_repeats is
  'Repeats that a member said are none. Each goes on through the pipeline as a signal of its own, and is never skipped '
  'as a repeat again. Until it has its row it still counts at its original, so that nothing is lost on the way.';
comment on column taken_out_repeats.id is 'The repeat''s own id, and that of the signal that it becomes.';
comment on column taken_out_repeats.in_force is 'False when this was taken back.';
comment on column taken_out_repeats.replay is
  'Which replay of the signal it goes on as: what it was told before is not told again.';
comment on column taken_out_repeats.sent_at is 'When it was put on the log; null until then.';
create index taken_out_repeats_to_send on taken_out_repeats (workspace_id) where in_force and sent_at is null;
select guard_by_workspace('taken_out_repeats', looked_up_by_index => true);
grant select, insert, update on taken_out_repeats to assay_app;
grant select, update on taken_out_repeats to assay_pipeline;
-- Records say whose they are.
grant select (tenant_id) on workspaces to assay_pipeline;

alter table jobs drop constraint jobs_kind_check;
alter table jobs add constraint jobs_kind_check check (kind in (
  'replay', 're_embed', 're_scrub', 're_anchor', 're_judge', 'check_import', 'import', 'export', 'review', 'take_out'));
