-- While a secret is rotated the one before it stays valid until a time, so that its senders can be changed one by one.
alter table sources
  add column previous_sealed_secret bytea,
  add column previous_secret_hash bytea,
  add column previous_valid_until timestamptz,
  -- What a kind needs besides; for a connection, where a signal's fields are in what it sends.
  add column settings jsonb not null default '{}';

-- Mail proves itself by the address that it is sent to.
alter table sources drop constraint sources_check1;
alter table sources add constraint sources_have_a_secret
  check (kind = 'email' or sealed_secret is not null or secret_hash is not null);
alter table sources add constraint sources_previous_secrets_end
  check ((previous_sealed_secret is null and previous_secret_hash is null) = (previous_valid_until is null));
