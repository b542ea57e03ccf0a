-- What was removed stays in the files of a database until they are written anew. See `model/erasures/rewrites.ts`.

create table rewrites (
  id uuid primary key,
  requested_at timestamptz,
  sealed bytea,
  tries integer not null default 0,
  not_before timestamptz not null default now()
);
comment on table rewrites is
  'That the files of embedded stores are to be written anew, since something was erased. Rows '
  'go when that is done. On a server nothing reads them.';
comment on column rewrites.id is 'Of the erasure; of everything else that removes rows, one row whose id is all zeros.';
comment on column rewrites.requested_at is 'What was removed before this is to leave the files; null while it is being removed.';
comment on column rewrites.sealed is
  'Excerpts of what goes, sealed, by which the files are searched afterwards.';
comment on column rewrites.tries is 'How often the files were written anew, or that was tried, since it was requested.';
alter table rewrites enable row level security;
alter table rewrites force row level security;
create policy requests on rewrites to assay_erasure, assay_accounts, assay_sandbox using (true) with check (true);
grant select, insert, update on rewrites to assay_erasure, assay_accounts, assay_sandbox;
grant delete on rewrites to assay_erasure;
