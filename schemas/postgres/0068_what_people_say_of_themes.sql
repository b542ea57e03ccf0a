-- What people say of themes, which no computation undoes: see `model/themes`.

create table theme_settings (
  theme_id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  name text check (length(name) between 1 and 200),
  standing text not null check (standing in ('listed', 'pinned', 'hidden', 'not_one_thing')),
  foreign key (workspace_id, theme_id) references themes (workspace_id, id) on delete cascade
);
comment on table theme_settings is 'What a person called a theme, and where it stands in the list.';
comment on column theme_settings.name is 'Null: the words that were found.';
create index theme_settings_by_workspace on theme_settings (workspace_id);
select guard_by_workspace('theme_settings');
select keep_changes_of('theme_settings', '{theme_id}');
grant select, insert, update, delete on theme_settings to assay_app;
grant select on theme_settings to assay_pipeline;

create table theme_answers (
  theme_id uuid not null,
  signal_id uuid not null,
  workspace_id uuid not null,
  is_member boolean not null,
  decision_id uuid,
  answered_at timestamptz not null,
  primary key (theme_id, signal_id),
  foreign key (workspace_id, theme_id) references themes (workspace_id, id) on delete cascade,
  foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade
);
comment on table theme_answers is
  'Whether a signal belongs to a theme, as a person said. Members that were confirmed stay in it and pull others; what '
  'was refused never comes back into it.';
comment on column theme_answers.decision_id is
  'The Decision that made its members evidence of one claim: what it is taken back by in Triage, too.';
create index theme_answers_by_signal on theme_answers (workspace_id, signal_id);
create index theme_answers_by_time on theme_answers (workspace_id, answered_at);
create index theme_answers_by_decision on theme_answers (workspace_id, decision_id) where decision_id is not null;
select guard_by_workspace('theme_answers', looked_up_by_index => true);
select keep_changes_of('theme_answers', '{theme_id,signal_id}');
grant select, insert, update, delete on theme_answers to assay_app;
grant select on theme_answers to assay_pipeline;

alter table theme_runs add column mean real[];
comment on column theme_runs.mean is
  'The mean of the vectors of then: what is said of one product whatever is said, and weighs nothing.';
