alter table workspaces add column asks_reasons boolean not null default false;
comment on column workspaces.asks_reasons is
  'Whether the app asks why where somebody drags a Solution on the Board. Each move hangs on a Decision either way.';
