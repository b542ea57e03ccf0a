create table tenants (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now()
);
comment on table tenants is 'Who owns workspaces. Limits that protect others from a sender count for a tenant.';
alter table tenants enable row level security;
alter table tenants force row level security;
create policy accounts on tenants to assay_accounts using (true) with check (true);
grant select, insert, update (name) on tenants to assay_accounts;

create table workspaces (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,47}$'),
  name text not null check (length(name) between 1 and 120),
  sandbox boolean not null default false,
  requires_app_decisions boolean not null default false,
  who_merges text not null default 'judge' check (who_merges in ('people', 'judge')),
  id_mask bigint not null default 0 check (id_mask between 0 and 281474976710655),
  import_job_id uuid,
  created_by uuid,
  provisioned_by uuid,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  purged_at timestamptz,
  check (purged_at is null or deleted_at is not null)
);
comment on table workspaces is
  'The unit of access: everything that a team keeps is in one workspace, and a transaction sees one.';
comment on column workspaces.slug is 'Unique everywhere: it is the readable half of the ingestion address.';
comment on column workspaces.sandbox is 'Whether it holds samples: it may be emptied and filled again.';
comment on column workspaces.requires_app_decisions is
  '`Done`, `Dropped` and Outcomes then need a Decision that a person made in the app.';
comment on column workspaces.who_merges is
  'Who merges claims that a judge finds to be the same: the judge itself, or people, for whom its yes then waits as '
  'a proposal.';
comment on column workspaces.id_mask is
  'An id of an import differs from the export''s in its last 48 bits, by this mask: an export may be imported '
  'beside the workspace that it is of, and an export of what was imported has the ids of the first one again.';
comment on column workspaces.import_job_id is
  'The job that imports an export into the workspace; null when all of it is there, or nothing.';
comment on column workspaces.created_by is
  'The account that made it, wherever its membership went since: it counts for that one''s quota. It outlives the '
  'account, so it is no reference.';
comment on column workspaces.provisioned_by is
  'The operator''s key that it was made with, for whose quota it counts then. It outlives the key.';
comment on column workspaces.deleted_at is
  'Since when nobody enters it any more, because its only member deleted their account.';
comment on column workspaces.purged_at is
  'When what a deleted workspace held was removed, and nothing could still be on its way to it.';
create index workspaces_by_creator on workspaces (created_by);
create index workspaces_by_provisioner on workspaces (provisioned_by) where provisioned_by is not null;
create index workspaces_to_purge on workspaces (deleted_at) where deleted_at is not null and purged_at is null;

alter table workspaces enable row level security;
alter table workspaces force row level security;
create policy accounts on workspaces to assay_accounts using (true) with check (true);
create policy app on workspaces for select to assay_app
  using (id = nullif(current_setting('assay.workspace_id', true), '')::uuid);
create policy edge on workspaces for select to assay_edge using (true);
-- The step that clusters follows the rule of each workspace of its batch.
create policy pipeline on workspaces for select to assay_pipeline
  using (id = any ((select nullif(current_setting('assay.workspace_ids', true), '')::uuid[])::uuid[]));
create policy sandbox on workspaces for select to assay_sandbox
  using ((sandbox or deleted_at is not null) and id = nullif(current_setting('assay.workspace_id', true), '')::uuid);
create policy transfer on workspaces to assay_transfer
  using (id = (select nullif(current_setting('assay.workspace_id', true), '')::uuid))
  with check (id = (select nullif(current_setting('assay.workspace_id', true), '')::uuid));
grant select, insert, update on workspaces to assay_accounts;
grant select on workspaces to assay_app, assay_edge, assay_sandbox;
grant select (id, who_merges) on workspaces to assay_pipeline;
grant select, update on workspaces to assay_transfer;

-- Until all of an export is there, nobody enters the workspace that it is imported into. Asked in every transaction of
-- the app: the wall between what is complete and what is not is here, whatever the way in.
create function require_whole_workspace() returns void language plpgsql stable as $$
begin
  if exists (
    select from workspaces
    where id = nullif(current_setting('assay.workspace_id', true), '')::uuid and import_job_id is not null)
  then
    raise exception 'an export is being imported into the workspace' using errcode = 'AS001';
  end if;
end
$$;
