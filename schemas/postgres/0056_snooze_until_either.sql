-- A signal sleeps until a time or until more is said, whichever comes first, where somebody says both.
alter table snoozes drop constraint snoozes_check;
alter table snoozes add constraint snoozes_check check (until is not null or until_signals is not null);
comment on table snoozes is
  'What a person has put off: out of Triage until a time, or until more is said, or until the first of both. A row stays '
  'when it has come back, so that the screen can say why it is there again, and goes with the next time that somebody '
  'snoozes or wakes the signal.';

create or replace function snoozed_signals(moment timestamptz) returns table (signal_id uuid, classification text)
  language sql stable as $$
  select signals.id, signals.classification
  from snoozes join signals on signals.id = snoozes.signal_id
  where signals.state = 'triage'
    and (until is null or until > moment)
    and (until_signals is null or snooze_signal_count(signals.id) < until_signals)
$$;
