-- A claim has the kind that its evidence mostly has, until a person says which.

alter table claims add column kind_decided boolean not null default false;
comment on column claims.kind_decided is 'A person said what kind it is: what a judge joins to it changes it no more.';
