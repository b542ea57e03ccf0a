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
alter table jobs drop constraint jobs_kind_check;
alter table jobs add constraint jobs_kind_check check (kind in (
  'replay', 're_embed', 're_scrub', 're_anchor', 're_judge', 'check_import', 'import', 'export', 'review', 'take_out',
  'learn'));

create table node_lessons (
  signal_id uuid primary key,
  workspace_id uuid not null,
  node_id uuid not null,
  from_node_id uuid,
  from_score real,
  moved_by text not null,
  moved_at timestamptz not null,
  foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade,
  foreign key (workspace_id, node_id) references map_nodes (workspace_id, id) on delete cascade,
  foreign key (workspace_id, from_node_id) references map_nodes (workspace_id, id) on delete set null (from_node_id)
);
comment on table node_lessons is
  'Signals that somebody moved to a node of the map. Each stays there, and is an example of the node: what is near to it is '
  'anchored to the node, too.';
comment on column node_lessons.from_node_id is 'Where the map had anchored it before the first move: taking the lesson back puts it there.';
comment on column node_lessons.moved_by is 'Who moved it last: a member, or a key by its label.';
create index node_lessons_by_time on node_lessons (workspace_id, moved_at desc);
create index node_lessons_by_node on node_lessons (workspace_id, node_id);
create index node_lessons_by_origin on node_lessons (workspace_id, from_node_id) where from_node_id is not null;
select guard_by_workspace('node_lessons', looked_up_by_index => true);
grant select, insert, update, delete on node_lessons to assay_app;
grant select on node_lessons to assay_pipeline;
