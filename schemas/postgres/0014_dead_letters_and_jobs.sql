-- Which hold of a job the lease stands for: a processor that lost it writes nothing. `waits` counts the slices in a row that found a
-- dependency away, by which the pause grows.
alter table jobs
  add column lease_id uuid,
  add column waits integer not null default 0;

alter table dead_letters
  -- When a letter of the fault `transient` is driven again by itself; null: it waits for a person.
  add column next_redrive_at timestamptz,
  -- The deaths before a person last replayed it. Those since say which delay is next.
  add column earlier_deaths integer not null default 0,
  -- The Decision by which it was discarded.
  add column decision_id uuid,
  add foreign key (workspace_id, decision_id) references decisions (workspace_id, id);
create index dead_letters_waiting on dead_letters (workspace_id, signal_id, step) where state = 'waiting';
create index dead_letters_to_redrive on dead_letters (next_redrive_at) where state = 'waiting' and next_redrive_at is not null;
-- The processors look across workspaces for where letters are due, and see nothing else of them; they take them as assay_pipeline.
create policy redrive on dead_letters for select to assay_accounts using (true);
grant select (workspace_id, state, next_redrive_at) on dead_letters to assay_accounts;
