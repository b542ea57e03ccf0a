-- When the newest of a claim's evidence happened is asked for with each claim that is shown, and orders them. Each row
-- of evidence keeps it for its signal, so that the answer is the end of an index instead of all that a claim stands on.

alter table claim_evidence add column newest_at timestamptz;
comment on column claim_evidence.newest_at is
  'When the signal happened, or the last of its repeats. Kept by triggers.';

create function newest_of_signal(signal uuid) returns timestamptz language sql stable as $$
  select greatest(least(occurred_at, received_at), (
    select max(least(repeats.occurred_at, repeats.received_at)) from occurrences as repeats
    where repeats.workspace_id = signals.workspace_id and repeats.signal_id = signals.id))
  from signals where id = signal
$$;

update claim_evidence set newest_at = newest_of_signal(signal_id);
drop index claim_evidence_by_time;
create index claim_evidence_by_newest on claim_evidence (claim_id, newest_at);

-- It is no part of what is taken back: others repeat a signal meanwhile.
drop trigger claim_evidence_changes_kept on claim_evidence;
select keep_changes_of('claim_evidence', '{claim_id,signal_id}', '{newest_at}');

create function evidence_knows_newest() returns trigger language plpgsql as $$
begin
  new.newest_at := newest_of_signal(new.signal_id);
  return new;
end
$$;
create trigger evidence_knows_newest before insert on claim_evidence
  for each row execute function evidence_knows_newest();

-- Repeats that came are as a rule the newest of their signals.
create function newest_came() returns trigger language plpgsql as $$
begin
  update claim_evidence set newest_at = came.newest_at
  from (
    select workspace_id, signal_id, max(least(occurred_at, received_at)) as newest_at
    from added group by workspace_id, signal_id
  ) as came
  where claim_evidence.workspace_id = came.workspace_id and claim_evidence.signal_id = came.signal_id
    and claim_evidence.newest_at < came.newest_at;
  return null;
end
$$;
create trigger occurrences_newest_came after insert on occurrences
  referencing new table as added for each statement execute function newest_came();

-- Of repeats that went or became another signal's, and of a signal whose time changed, the newest is looked up.
create function look_up_newest(workspaces uuid[], signals_of uuid[]) returns void language sql as $$
  update claim_evidence set newest_at = newest_of_signal(signal_id)
  from (select distinct * from unnest(workspaces, signals_of) as changed (workspace, signal)) as changed
  where workspace_id = workspace and signal_id = signal and newest_at is distinct from newest_of_signal(signal_id)
$$;

create function newest_went() returns trigger language plpgsql as $$
begin
  perform look_up_newest(array_agg(workspace_id), array_agg(signal_id)) from removed;
  return null;
end
$$;
create trigger occurrences_newest_went after delete on occurrences
  referencing old table as removed for each statement execute function newest_went();

create function newest_moved() returns trigger language plpgsql as $$
begin
  perform look_up_newest(array_agg(parts.workspace_id), array_agg(parts.signal_id))
  from added join removed using (id) cross join lateral (
    values (added.workspace_id, added.signal_id), (removed.workspace_id, removed.signal_id)
  ) as parts (workspace_id, signal_id)
  where (added.signal_id, least(added.occurred_at, added.received_at))
    <> (removed.signal_id, least(removed.occurred_at, removed.received_at));
  return null;
end
$$;
create trigger occurrences_newest_moved after update on occurrences
  referencing old table as removed new table as added for each statement execute function newest_moved();

create function newest_of_changed_signal() returns trigger language plpgsql as $$
begin
  perform look_up_newest(array[new.workspace_id], array[new.id]);
  return null;
end
$$;
create trigger signals_newest_moved after update on signals for each row
  when (least(new.occurred_at, new.received_at) <> least(old.occurred_at, old.received_at))
  execute function newest_of_changed_signal();
