-- Nobody is asked whether a dismissed claim is the same as another: its pairs wait again with it.

create function withdraw_pairs_of_dismissed_claims() returns trigger language plpgsql as $$
begin
  if new.state = 'dismissed' then
    update merge_proposals set state = 'set_aside', withdrawn_by = new.id
    where state in ('waiting', 'set_aside') and withdrawn_by is null
      and id in (select proposal_id from proposals_of_lineage(new.id));
  else
    update merge_proposals set withdrawn_by = null,
      state = case when exists (
        select from proposal_bars
        where proposal_bars.workspace_id = new.workspace_id and bar > 0 and coalesce(merge_proposals.chance, 0) <= bar
          and merge_proposals.found_by is null
      ) then 'set_aside' else 'waiting' end
    where withdrawn_by = new.id and state = 'set_aside';
  end if;
  return null;
end
$$;
create trigger claims_pairs_withdrawn after update of state on claims for each row
  when ((old.state = 'dismissed') <> (new.state = 'dismissed'))
  execute function withdraw_pairs_of_dismissed_claims();

comment on column merge_proposals.withdrawn_by is
  'Why nobody is asked about it: the refused proposal that asked the same, the proposal of the same two claims that waits '
  'for both, or the claim of it that is dismissed.';

-- Those of before.
update merge_proposals set state = 'set_aside', withdrawn_by = claims.id
from claims
where claims.state = 'dismissed' and claims.id in (claim_id, candidate_claim_id)
  and merge_proposals.state = 'waiting' and withdrawn_by is null;
