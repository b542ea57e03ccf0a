-- The operator's incident switch: while the row is there, a key gets so many work units a minute from each program that answers it.
create table incident_limit (
  only_row boolean primary key default true check (only_row),
  units_per_minute integer not null check (units_per_minute > 0),
  since timestamptz not null default now()
);
alter table incident_limit enable row level security;
alter table incident_limit force row level security;
create policy accounts on incident_limit to assay_accounts using (true) with check (true);
grant select, insert, update, delete on incident_limit to assay_accounts;

-- The operator names the owner of a provisioning key by address.
grant select (email) on account_users to assay_accounts;
