-- Vectors of one language have something in common that says nothing about their texts.
alter table theme_runs add column languages text[] not null default '{}';
comment on column theme_runs.languages is
  'The languages of enough signals of the computation to have a mean of their own.';
alter table theme_runs add column language_means real[] not null default '{}';
comment on column theme_runs.language_means is
  'The mean of the vectors of each of `languages`, 1,024 numbers each, one language after the other.';
