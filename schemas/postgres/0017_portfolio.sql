create table groups (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  name text not null check (length(name) between 1 and 120),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);
comment on table groups is 'Solutions that a person put together under a name.';
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
comment on table group_solutions is 'The Solutions of a group.';
create index group_solutions_by_solution on group_solutions (workspace_id, solution_id);
select guard_by_workspace('group_solutions');
grant select, insert, delete on group_solutions to assay_app;

create table strategy_elements (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  layer text not null check (layer in ('vision', 'objective', 'bet')),
  position integer not null check (position >= 1),
  title text not null check (length(title) between 1 and 300),
  summary text not null default '' check (length(summary) <= 6000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);
comment on table strategy_elements is 'The Strategy Stack: the vision, objectives and bets.';
comment on column strategy_elements.position is
  '1 stands first in its layer. Whoever changes an order holds the workspace''s strategy meanwhile.';
create index strategy_elements_in_order on strategy_elements (workspace_id, layer, position);
select guard_by_workspace('strategy_elements');
grant select, insert, update, delete on strategy_elements to assay_app;

create table strategy_claims (
  workspace_id uuid not null,
  element_id uuid not null,
  claim_id uuid not null,
  primary key (element_id, claim_id),
  foreign key (workspace_id, element_id) references strategy_elements (workspace_id, id) on delete cascade,
  foreign key (workspace_id, claim_id) references claims (workspace_id, id)
);
comment on table strategy_claims is
  'The claims that an element of the Strategy Stack rests on. One that was merged is read as its survivor.';
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
comment on table strategy_solutions is 'The Solutions that carry out an element of the Strategy Stack.';
create index strategy_solutions_by_solution on strategy_solutions (workspace_id, solution_id);
select guard_by_workspace('strategy_solutions');
grant select, insert, delete on strategy_solutions to assay_app;

create table roadmap_items (
  workspace_id uuid not null,
  solution_id uuid primary key,
  horizon text not null check (horizon in ('now', 'next', 'later')),
  position integer not null check (position >= 1),
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id)
);
comment on table roadmap_items is 'The Roadmap: Solutions placed in now, next or later.';
comment on column roadmap_items.position is
  '1 stands first in its horizon. Whoever changes an order holds the workspace''s roadmap meanwhile.';
create index roadmap_items_in_order on roadmap_items (workspace_id, horizon, position);
select guard_by_workspace('roadmap_items');
grant select, insert, update, delete on roadmap_items to assay_app;

create table product_reviews (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  title text not null check (length(title) between 1 and 300),
  period_from timestamptz not null,
  period_to timestamptz not null,
  prepared_by text not null,
  prepared_at timestamptz not null,
  text text not null,
  figures jsonb not null,
  check (period_from < period_to)
);
comment on table product_reviews is
  'A portfolio report of a period, as it was on the day it was prepared. Written once.';
comment on column product_reviews.prepared_by is 'The member, and the key that they worked through.';
create index product_reviews_by_time on product_reviews (workspace_id, prepared_at desc, id desc);
select guard_by_workspace('product_reviews');
grant select, insert on product_reviews to assay_app;
