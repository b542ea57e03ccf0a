-- Whose quota a workspace counts for: the account that made it, wherever its membership went since, or the operator's key that it was made
-- with. A workspace outlives both, so neither is a reference.
alter table workspaces
  add column created_by uuid,
  add column provisioned_by uuid;
create index workspaces_by_creator on workspaces (created_by);
create index workspaces_by_provisioner on workspaces (provisioned_by) where provisioned_by is not null;

-- Of those that are there, the owner of longest standing is taken for who made them. Under the role that sees them all.
set local role assay_accounts;
update workspaces set created_by = (
  select user_id from members
  where members.workspace_id = workspaces.id and members.role = 'owner'
  order by members.created_at, user_id limit 1
);
reset role;
