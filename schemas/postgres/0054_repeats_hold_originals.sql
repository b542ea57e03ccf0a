-- Two steps of the pipeline work on one signal at the same moment, each behind a lock of its own: one stores a repeat of
-- it, and the other makes it evidence of a claim. Each saw nothing of the other, so the sums of the claim missed the
-- repeat for ever. Now both hold the signal's row: whoever comes second waits, and counts what the first has stored.
--
-- Evidence holds the row as a foreign key does, so that many make evidence of one signal at once. A repeat holds it
-- against these.

create function repeats_hold_originals() returns trigger language plpgsql as $$
begin
  perform from signals where id in (new.signal_id, old.signal_id) order by id for update;
  return coalesce(new, old);
end
$$;
create trigger repeats_hold_originals before insert or update or delete on occurrences
  for each row execute function repeats_hold_originals();

create or replace function evidence_knows_newest() returns trigger language plpgsql as $$
begin
  -- The statement after it sees what was committed meanwhile.
  perform from signals where id = new.signal_id for key share;
  new.newest_at := newest_of_signal(new.signal_id);
  return new;
end
$$;

create or replace function claims_lost_evidence() returns trigger language plpgsql as $$
begin
  perform from signals where id in (select signal_id from removed) order by id for key share;
  perform add_evidence_to_totals(array_agg(workspace_id), array_agg(claim_id), array_agg(signal_id), -1) from removed;
  return null;
end
$$;
