alter table installation_key add column next_check_value bytea;
comment on column installation_key.next_check_value is
  'Of the key that takes the place of the noted one, from the first program that was started with both until nothing '
  'is sealed with the old one.';
