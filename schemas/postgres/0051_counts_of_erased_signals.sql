-- What an erasure takes away is counted no more: `signal_counts` followed signals that came and that changed, and not
-- those that went.

create function count_removed_signals() returns trigger language plpgsql as $$
begin
  update signal_counts as counts set signals = counts.signals - gone.signals
  from (
    select workspace_id, state, classification, count(*) as signals from removed
    group by workspace_id, state, classification
  ) as gone
  where counts.workspace_id = gone.workspace_id and counts.state = gone.state
    and counts.classification = gone.classification;
  return null;
end
$$;
create trigger removed_signals_counted after delete on signals
  referencing old table as removed for each statement execute function count_removed_signals();

-- Counts what is there, once, where something was erased. As the role that sees all of one workspace.
do $$
declare
  workspaces_of uuid[];
  workspace uuid;
begin
  set local role assay_accounts;
  workspaces_of := array(select id from workspaces);
  set local role assay_transfer;
  foreach workspace in array workspaces_of loop
    perform set_config('assay.workspace_id', workspace::text, true);
    continue when not exists (select from erasures);
    update signal_counts as counts set signals = (
      select count(*) from signals
      where signals.state = counts.state and signals.classification = counts.classification);
  end loop;
  perform set_config('assay.workspace_id', '', true);
  reset role;
end
$$;
