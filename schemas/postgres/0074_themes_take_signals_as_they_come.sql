-- A signal that comes is put into the theme that it fits, before themes are found anew. See
-- `model/themes/place-signals.ts`.

alter table themes
  add column direction halfvec(1024),
  add column direction_offset real,
  add column least_likeness real;
alter table themes alter column direction set storage plain;
comment on column themes.direction is
  'Where its members point together without what all signals have in common, in steps of likeness.';
comment on column themes.direction_offset is 'What is taken off how far a signal points there, in the same steps.';
comment on column themes.least_likeness is 'A signal that comes is put into it from there on.';

alter table theme_runs add column placed_number integer;
comment on column theme_runs.placed_number is
  'Signals up to this number were put into themes, or fit none; null where none came since the themes were found.';
