-- Whoever calls is looked up before the call waits for its turn. Meanwhile an owner may have removed or demoted the
-- person, deleted the key or ended the session. So each transaction that works for a caller looks again, and one that
-- writes holds the rows by which the caller may: removing, demoting, deleting and signing out change these very rows.
-- Either waits for the other. What was removed writes nothing any more, or it had written before it was removed.
--
-- `holds`: null looks only. `own` holds the caller's own rows, as nearly every write does. A write that changes other
-- people's memberships or administrators holds all rows that it may change, `owners` or `administrators`, in one order:
-- two who each held their own row, and then asked for the other's, would wait for each other for ever.
create function require_standing(
  place uuid, person uuid, role_told text, administers boolean, through_key uuid, through_session uuid, holds text)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ranks constant text[] := '{owner,member,viewer}';
  proof_stands boolean;
  role_now text;
begin
  if holds = 'owners' then
    perform from members where workspace_id = place and (role = 'owner' or user_id = person) order by user_id for update;
  elsif holds is not null then
    perform from members where workspace_id = place and user_id = person for share;
  end if;
  if holds is not null then
    if through_key is not null then
      perform from mcp_keys where id = through_key for key share;
    else
      perform from account_sessions where id = through_session for key share;
    end if;
  end if;
  if holds = 'administrators' then
    perform from administrators order by user_id for update;
  end if;

  -- After the locks, a statement sees what those before it committed.
  if through_key is null then
    select exists (select from account_sessions where id = through_session and user_id = person) into proof_stands;
  else
    select exists (
      select from mcp_keys as keys join account_users as people on people.id = keys.owner_id
      where keys.id = through_key and keys.workspace_id = place and keys.owner_id = person
        and people.disabled_at is null)
    into proof_stands;
  end if;
  select role into role_now from members where workspace_id = place and user_id = person;
  if not proof_stands then
    raise exception 'the key or the session has ended' using errcode = 'AS002';
  end if;
  if role_now is null or array_position(ranks, role_now) > array_position(ranks, role_told)
    or administers and not exists (select from administrators where user_id = person)
  then
    raise exception 'the role is another one, or the membership has ended' using errcode = 'AS003';
  end if;
end
$$;
-- To hold a row, a role needs the right to change a column of it.
grant update (updated_at) on account_sessions to assay_accounts;
-- A function is handed over to a role that may create in its schema.
grant create on schema public to assay_accounts;
alter function require_standing(uuid, uuid, text, boolean, uuid, uuid, text) owner to assay_accounts;
revoke create on schema public from assay_accounts;
revoke execute on function require_standing(uuid, uuid, text, boolean, uuid, uuid, text) from public;
grant execute on function require_standing(uuid, uuid, text, boolean, uuid, uuid, text)
  to assay_app, assay_sandbox, assay_accounts;

-- An invitation is its inviter's: it gives what they may give when it is used, and nothing once they may not invite.
-- Whatever ends their right, a removal, a demotion, single sign-on or the account's end, their links end with it.
create function may_invite(place uuid, inviter uuid) returns boolean language sql stable as $$
  select exists (
    select from members join account_users as people on people.id = members.user_id
    where members.workspace_id = place and members.user_id = inviter and members.role = 'owner'
      and people.disabled_at is null)
$$;

create or replace function admit_account() returns trigger language plpgsql set role = assay_accounts as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('assay.accounts', 0));
  if new.admitted_by = 'first' and exists (select from account_users) then
    raise exception 'The first account is there already.' using errcode = '23514', constraint = 'first_account_alone';
  end if;
  if new.admitted_by = 'invitation' then
    update invitations set signed_up = new.id
    where hash = decode(new.invitation_hash, 'hex') and signed_up is null and accepted_at is null and revoked_at is null
      and expires_at > now() and may_invite(workspace_id, invited_by);
    if not found then
      raise exception 'The invitation is not open.' using errcode = '23514', constraint = 'invitation_is_open';
    end if;
  end if;
  return new;
end
$$;
