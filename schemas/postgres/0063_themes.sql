-- Themes: signals that likely speak of one thing, found from all of them by a job. See `model/themes`.

alter table jobs drop constraint jobs_kind_check;
alter table jobs add constraint jobs_kind_check check (kind in (
  'replay', 're_embed', 're_scrub', 're_anchor', 're_judge', 'check_import', 'import', 'export', 'review', 'take_out',
  'learn', 'calibrate', 'erase', 'find_themes'));

alter table reference_counters drop constraint reference_counters_kind_check;
alter table reference_counters add constraint reference_counters_kind_check check (kind in (
  'signal', 'claim', 'solution', 'decision', 'theme'));

create table themes (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  number integer not null,
  name text not null check (length(name) between 1 and 200),
  split_from_id uuid,
  became_id uuid,
  found_at timestamptz not null,
  changed_at timestamptz not null,
  ended_at timestamptz,
  unique (workspace_id, number),
  unique (workspace_id, id),
  foreign key (workspace_id, split_from_id) references themes (workspace_id, id),
  foreign key (workspace_id, became_id) references themes (workspace_id, id),
  constraint theme_from_another check (split_from_id <> id and became_id <> id)
);
comment on table themes is
  'Signals that likely speak of one thing, over kinds and languages. A view and no evidence: it merges nothing, and is '
  'found anew as signals come. A theme that most of its members are found together in again keeps its number and name.';
comment on column themes.name is 'The words that set it apart from the others when it was first found.';
comment on column themes.split_from_id is
  'The theme that most of its members were in when it was first found, which went on.';
comment on column themes.became_id is
  'The theme that most of its members were found in when it was found no more; or what that one became later.';
comment on column themes.ended_at is 'When it was found no more. It has no members then.';
create index themes_that_are on themes (workspace_id) where ended_at is null;
create index themes_split on themes (workspace_id, split_from_id) where split_from_id is not null;
create index themes_joined on themes (workspace_id, became_id) where became_id is not null;
select guard_by_workspace('themes');
grant select, insert, update on themes to assay_pipeline;
grant select on themes to assay_app;

create table theme_members (
  theme_id uuid not null,
  signal_id uuid not null,
  workspace_id uuid not null,
  likeness real not null,
  language text,
  quote_start integer not null,
  quote_length integer not null,
  primary key (theme_id, signal_id),
  foreign key (workspace_id, theme_id) references themes (workspace_id, id) on delete cascade,
  foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade
);
comment on table theme_members is 'The signals of a theme, as they were found last.';
comment on column theme_members.likeness is
  'How alike it is to the other members on average, in steps of how much the likeness of any two signals differs.';
comment on column theme_members.language is 'The language that it seems to be in, where its commonest words tell.';
comment on column theme_members.quote_start is
  'Where the sentence begins that tells most of it, in UTF-16 units of the text: no words are kept twice.';
create index theme_members_by_signal on theme_members (workspace_id, signal_id);
select guard_by_workspace('theme_members', looked_up_by_index => true);
grant select, insert, delete on theme_members to assay_pipeline;
grant select on theme_members to assay_app;

create table theme_runs (
  workspace_id uuid primary key references workspaces (id),
  through_number integer not null,
  signals integer not null,
  model text not null,
  found_at timestamptz not null
);
comment on table theme_runs is 'Of what a workspace''s themes were found last.';
comment on column theme_runs.through_number is 'The number of the newest signal of then.';
comment on column theme_runs.signals is 'How many signals were looked at.';
select guard_by_workspace('theme_runs');
grant select, insert, update on theme_runs to assay_pipeline;
grant select on theme_runs to assay_app;
