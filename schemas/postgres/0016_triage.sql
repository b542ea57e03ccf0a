create table snoozes (
  workspace_id uuid not null,
  signal_id uuid primary key,
  until timestamptz,
  until_signals integer check (until_signals > 0),
  snoozed_by text not null,
  snoozed_at timestamptz not null,
  foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade,
  check ((until is null) <> (until_signals is null))
);
comment on table snoozes is
  'What a person has put off: out of Triage until a time, or until more is said. A row stays when it has come back, '
  'so that the screen can say why it is there again, and goes with the next time that somebody snoozes or wakes the '
  'signal.';
comment on column snoozes.until_signals is
  'Until so many Signals and repeats are at its claim; of a Signal without one, itself and its repeats.';
create index snoozes_by_workspace on snoozes (workspace_id, until);
select guard_by_workspace('snoozes');
grant select, insert, update, delete on snoozes to assay_app;
grant select on snoozes to assay_pipeline;

-- How much is said of what a signal says: the signals and occurrences at its claim, or itself and its occurrences.
create function snooze_signal_count(signal uuid) returns integer language sql stable as $$
  select greatest(
    1 + (select count(*) from occurrences where signal_id = signal),
    (
      select max(priority_totals.signals) from claim_evidence join priority_totals on target_id = claim_id
      where claim_evidence.signal_id = signal)
  )::integer
$$;

-- The signals in Triage that sleep at a moment.
create function snoozed_signals(moment timestamptz) returns table (signal_id uuid, classification text)
  language sql stable as $$
  select signals.id, signals.classification
  from snoozes join signals on signals.id = snoozes.signal_id
  where signals.state = 'triage'
    and case when until is null then snooze_signal_count(signals.id) < until_signals else until > moment end
$$;
