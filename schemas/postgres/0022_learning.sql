-- What a workspace teaches: what people say that a signal is.

alter table workspaces add column learns boolean not null default true;
comment on column workspaces.learns is
  'Whether what people say of its signals speaks when new ones are classified.';
grant select (learns) on workspaces to assay_pipeline;

create table learned_classifiers (
  workspace_id uuid primary key references workspaces (id),
  taught_at timestamptz,
  changes integer not null default 0,
  learned_at timestamptz,
  learned_changes integer not null default 0,
  revision integer not null default 0,
  beside text,
  lessons integer not null default 0,
  corrections integer not null default 0,
  asked integer not null default 0,
  answered_right integer not null default 0,
  weight real not null default 0,
  pool real[],
  bias real[],
  terms bytea
);
comment on table learned_classifiers is
  'What a workspace''s own classifier has learned from its lessons: the signals that people reclassified, or accepted as they were '
  'classified. Made anew from them whenever there are others.';
comment on column learned_classifiers.taught_at is 'When a lesson last came, changed or went.';
comment on column learned_classifiers.changes is 'Counts these moments; `learned_changes` is how many the last fit found.';
comment on column learned_classifiers.revision is 'Counts the fits: whoever keeps one in memory sees by it whether there is another.';
comment on column learned_classifiers.beside is 'The version of the built-in classifier that it was fitted to speak beside.';
comment on column learned_classifiers.asked is
  'How many of the newest lessons it was asked about, each by a fit that had not seen it; at most 100.';
comment on column learned_classifiers.weight is
  'How much it says beside the built-in classifier, from 0 to 1; earned on lessons that it had not seen.';
comment on column learned_classifiers.pool is
  'How much the built-in classifier and the terms count where both are asked. Null before anything was learned.';
comment on column learned_classifiers.bias is 'What each class has before any term is seen.';
comment on column learned_classifiers.terms is
  'Hashes of terms, how rare each is, and what it says for each class; see model/learning. Words cannot be read from it.';
select guard_by_workspace('learned_classifiers', looked_up_by_index => true);
grant select, insert, update on learned_classifiers to assay_app, assay_pipeline;

-- The lessons, the newest first.
create index signals_that_teach on signals (workspace_id, number desc)
  where classification_version = 'member' or (state = 'accepted' and classification <> 'unclassified');

-- One more kind of job, beside those that there are.
do $$
declare
  known constant text := (
    select pg_get_expr(conbin, conrelid) from pg_constraint
    where conrelid = 'jobs'::regclass and conname = 'jobs_kind_check');
begin
  alter table jobs drop constraint jobs_kind_check;
  execute format('alter table jobs add constraint jobs_kind_check check (%s or kind = %L)', known, 'learn');
end
$$;
