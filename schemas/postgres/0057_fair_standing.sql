-- Who writes held the row of their membership in a mode that many writers share. PostgreSQL lets a further one join
-- those while somebody waits for the row to change it, so a removed owner who kept two writes under way could put their
-- removal off for as long as it may wait. Advisory locks are given in the order in which they are asked for: a removal
-- waits for the writes that run when it is asked for, and for no later one.
create function standing_lock(kind text, id text) returns bigint language sql immutable as $$
  select hashtextextended('assay.standing ' || kind || ' ' || id, 0)
$$;

create function member_lock(place uuid, person uuid) returns bigint language sql immutable as $$
  select standing_lock('member', place || ' ' || person)
$$;

-- Waits for what the member has under way, and has what they begin meanwhile wait. Always true. Who holds several asks
-- in one order, by workspace and person.
create function hold_member(place uuid, person uuid) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock(member_lock(place, person));
  return true;
end
$$;

-- Whatever ends a right, and whatever statement does it, waits for what is under way by it.
create function await_writers() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'members' then perform hold_member(old.workspace_id, old.user_id);
    when 'mcp_keys' then perform pg_advisory_xact_lock(standing_lock('key', old.id::text));
    when 'account_sessions' then perform pg_advisory_xact_lock(standing_lock('session', old.id::text));
  end case;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger members_await_writers before delete or update of role on members
  for each row execute function await_writers();
create trigger mcp_keys_await_writers before delete on mcp_keys
  for each row execute function await_writers();
create trigger account_sessions_await_writers before delete on account_sessions
  for each row execute function await_writers();

create or replace function require_standing(
  place uuid, person uuid, role_told text, administers boolean, through_key uuid, through_session uuid, holds text)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ranks constant text[] := '{owner,member,viewer}';
  proof_stands boolean;
  role_now text;
begin
  if holds = 'owners' then
    perform hold_member(place, user_id) from (
      select user_id from members where workspace_id = place and (role = 'owner' or user_id = person)
      order by user_id offset 0) as held;
  elsif holds is not null then
    perform pg_advisory_xact_lock_shared(member_lock(place, person));
  end if;
  if holds is not null then
    perform pg_advisory_xact_lock_shared(
      case when through_key is null then standing_lock('session', through_session::text)
        else standing_lock('key', through_key::text) end);
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
