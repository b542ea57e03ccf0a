-- What tells the key of this installation from any other, so that a program with another key is refused at its start
-- (model/installation/installation-key.ts). Nothing of the key can be learned from it.
create table installation_key (
  only_row boolean primary key default true check (only_row),
  check_value bytea not null,
  noted_at timestamptz not null default now()
);

grant select, insert, update on installation_key to assay_edge;
