-- Two themes that are one and one that is two, as a person says, and which themes took what one had that is found no
-- more: see `model/themes`.

alter table theme_settings
  add column part_of_id uuid,
  add constraint theme_settings_part_of foreign key (workspace_id, part_of_id) references themes (workspace_id, id)
    on delete cascade,
  add constraint theme_part_of_another check (part_of_id <> theme_id);
comment on column theme_settings.part_of_id is
  'The theme that it is one with, as a person said: its signals and answers count as those of that one, which is part '
  'of none itself.';
create index theme_settings_by_whole on theme_settings (workspace_id, part_of_id) where part_of_id is not null;

create table theme_successors (
  theme_id uuid not null,
  successor_id uuid not null,
  workspace_id uuid not null references workspaces (id),
  signals integer not null,
  primary key (theme_id, successor_id),
  foreign key (workspace_id, theme_id) references themes (workspace_id, id) on delete cascade,
  foreign key (workspace_id, successor_id) references themes (workspace_id, id) on delete cascade
);
comment on table theme_successors is
  'Of a theme that is found no more, the themes that its signals were found in then.';
comment on column theme_successors.signals is 'How many of its signals that one took.';
create index theme_successors_by_workspace on theme_successors (workspace_id, successor_id);
select guard_by_workspace('theme_successors');
grant select, insert, update, delete on theme_successors to assay_pipeline;
grant select on theme_successors to assay_app;

alter table theme_runs add column answers integer;
comment on column theme_runs.answers is
  'How many answers there were then: where one was taken back since, themes are found anew. Null: not known.';

-- What a person takes out of a theme is a theme of its own at once. An undo ends it.
grant insert, update on themes to assay_app;
select keep_changes_of('themes', '{id}');
