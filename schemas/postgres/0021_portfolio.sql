-- Each change of a claim's or a Solution's state: what changed since a time, and how long it has been so. Written by the tables themselves, whoever
-- changes them.
create table state_changes (
  id bigint generated always as identity primary key,
  workspace_id uuid not null references workspaces (id),
  object_kind text not null check (object_kind in ('claim', 'solution')),
  object_id uuid not null,
  from_state text not null,
  to_state text not null,
  changed_at timestamptz not null
);
create index state_changes_by_time on state_changes (workspace_id, object_kind, changed_at desc);
create index state_changes_by_object on state_changes (workspace_id, object_id, changed_at desc);
select guard_by_workspace('state_changes');
grant select, insert on state_changes to assay_app, assay_pipeline;

create function note_state_change() returns trigger language plpgsql as $$
begin
  insert into state_changes (workspace_id, object_kind, object_id, from_state, to_state, changed_at)
  values (new.workspace_id, tg_argv[0], new.id, old.state, new.state, new.updated_at);
  return null;
end
$$;

create trigger claims_state_changed after update of state on claims
  for each row when (old.state is distinct from new.state) execute function note_state_change('claim');
create trigger solutions_state_changed after update of state on solutions
  for each row when (old.state is distinct from new.state) execute function note_state_change('solution');

-- What Decisions already tell of it, in every workspace: the owner is held to row-level security otherwise.
alter table decisions no force row level security;
alter table decision_objects no force row level security;
alter table state_changes no force row level security;
insert into state_changes (workspace_id, object_kind, object_id, from_state, to_state, changed_at)
select changed.workspace_id, 'solution', object_id, change #>> '{state,from}', change #>> '{state,to}', made_at
from decision_objects changed join decisions on decisions.id = decision_id
where object_kind = 'solution' and change #>> '{state,from}' is not null and change #>> '{state,to}' is not null
order by changed.id;
alter table decisions force row level security;
alter table decision_objects force row level security;
alter table state_changes force row level security;

create index claims_by_age on claims (workspace_id, created_at desc);
create index merges_by_time on merges (workspace_id, merged_at desc);
create index decisions_by_time on decisions (workspace_id, made_at desc);

-- Kept for audit and for workflows that size effort. Nothing is ordered by them.
alter table solutions
  add column reach double precision check (reach >= 0),
  add column impact double precision check (impact >= 0),
  add column confidence double precision check (confidence >= 0),
  add column effort double precision check (effort >= 0);

create table groups (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  name text not null check (length(name) between 1 and 120),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);
create unique index groups_by_name on groups (workspace_id, lower(name));
select guard_by_workspace('groups');
grant select, insert, update, delete on groups to assay_app;

create table group_solutions (
  workspace_id uuid not null,
  group_id uuid not null,
  solution_id uuid not null,
  primary key (group_id, solution_id),
  foreign key (workspace_id, group_id) references groups (workspace_id, id) on delete cascade,
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id)
);
create index group_solutions_by_solution on group_solutions (workspace_id, solution_id);
select guard_by_workspace('group_solutions');
grant select, insert, delete on group_solutions to assay_app;

create table strategy_elements (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  layer text not null check (layer in ('vision', 'objective', 'bet')),
  -- 1 stands first in its layer. Whoever changes an order holds the workspace's strategy meanwhile.
  position integer not null check (position >= 1),
  title text not null check (length(title) between 1 and 300),
  summary text not null default '' check (length(summary) <= 6000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);
create index strategy_elements_in_order on strategy_elements (workspace_id, layer, position);
select guard_by_workspace('strategy_elements');
grant select, insert, update, delete on strategy_elements to assay_app;

-- A claim that was merged is read as the one that it lives on in.
create table strategy_claims (
  workspace_id uuid not null,
  element_id uuid not null,
  claim_id uuid not null,
  primary key (element_id, claim_id),
  foreign key (workspace_id, element_id) references strategy_elements (workspace_id, id) on delete cascade,
  foreign key (workspace_id, claim_id) references claims (workspace_id, id)
);
create index strategy_claims_by_claim on strategy_claims (workspace_id, claim_id);
select guard_by_workspace('strategy_claims');
grant select, insert, delete on strategy_claims to assay_app;

create table strategy_solutions (
  workspace_id uuid not null,
  element_id uuid not null,
  solution_id uuid not null,
  primary key (element_id, solution_id),
  foreign key (workspace_id, element_id) references strategy_elements (workspace_id, id) on delete cascade,
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id)
);
create index strategy_solutions_by_solution on strategy_solutions (workspace_id, solution_id);
select guard_by_workspace('strategy_solutions');
grant select, insert, delete on strategy_solutions to assay_app;

create table roadmap_places (
  workspace_id uuid not null,
  solution_id uuid primary key,
  horizon text not null check (horizon in ('now', 'next', 'later')),
  -- 1 stands first in its horizon. Whoever changes an order holds the workspace's roadmap meanwhile.
  position integer not null check (position >= 1),
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id)
);
create index roadmap_places_in_order on roadmap_places (workspace_id, horizon, position);
select guard_by_workspace('roadmap_places');
grant select, insert, update, delete on roadmap_places to assay_app;

-- A portfolio report as it was on the day it was prepared. Written once.
create table product_reviews (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  title text not null check (length(title) between 1 and 300),
  period_from timestamptz not null,
  period_to timestamptz not null,
  -- The member, and the key that they worked through.
  prepared_by text not null,
  prepared_at timestamptz not null,
  text text not null,
  figures jsonb not null,
  check (period_from < period_to)
);
create index product_reviews_by_time on product_reviews (workspace_id, prepared_at desc, id desc);
select guard_by_workspace('product_reviews');
grant select, insert on product_reviews to assay_app;

-- Until when a key, or a member in the app, has seen what changed.
create table last_looks (
  workspace_id uuid not null references workspaces (id),
  viewer_id uuid not null,
  looked_at timestamptz not null,
  primary key (workspace_id, viewer_id)
);
select guard_by_workspace('last_looks');
grant select, insert, update on last_looks to assay_app;

alter table decision_objects
  drop constraint decision_objects_object_kind_check,
  add constraint decision_objects_object_kind_check
    check (object_kind in ('solution', 'claim', 'signal', 'group', 'strategy_element'));
