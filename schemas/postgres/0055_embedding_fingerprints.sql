create table embedding_fingerprints (
  model text primary key,
  vectors bytea not null,
  first_seen_at timestamptz not null default now()
);
comment on table embedding_fingerprints is
  'What each embedding model of a server answers for five fixed texts. A server that answers something else under the '
  'same name has another model: its vectors are not mixed with those that are stored.';
comment on column embedding_fingerprints.vectors is 'The five vectors as they would be stored, 1024 float32 each, end to end.';
alter table embedding_fingerprints enable row level security;
alter table embedding_fingerprints force row level security;
create policy accounts on embedding_fingerprints to assay_accounts using (true) with check (true);
grant select, insert on embedding_fingerprints to assay_accounts;
