-- Evidence, and the Solutions that answer it, hang on a claim that lives: never on one that was merged into another. A
-- reference holds it, so that no order of writes gets past it: whoever attaches to a claim holds its row against being
-- merged, and whoever merges a claim finds what was attached to it meanwhile.
--
-- It is looked at when a transaction ends, because taking a merge back passes through the other order: rows return to
-- a claim before it is opened again.

lock table claims, claim_evidence, solution_claims in share row exclusive mode;

-- What hangs on a claim that was merged away goes to the claim that it lives on in, as a merge would have moved it.
create function move_to_survivors() returns void language plpgsql as $$
begin
  with stray as (
    delete from claim_evidence using claims
    where claims.id = claim_id and claims.workspace_id = claim_evidence.workspace_id and merged_into is not null
    returning claim_evidence.*
  ), homeward as (
    select distinct on (survivor, signal_id) stray.*, survivor,
      array(
        select distinct origin from stray as beside
        cross join lateral unnest(case when beside.origins = '{}' then array[beside.claim_id] else beside.origins end) as origin
        where beside.signal_id = stray.signal_id and surviving_claim(beside.claim_id) = survivor) as came_by
    from stray cross join lateral surviving_claim(stray.claim_id) as survivor
    order by survivor, signal_id, attached_at
  )
  insert into claim_evidence as present (
    workspace_id, claim_id, signal_id, attached_by, actor, reason, attached_at, origins, lost_candidates)
  select workspace_id, survivor, signal_id, attached_by, actor, reason, attached_at, came_by, lost_candidates from homeward
  on conflict (claim_id, signal_id) do update
    set origins = case when present.origins = '{}' then array[present.claim_id] else present.origins end || excluded.origins;

  with stray as (
    delete from solution_claims using claims
    where claims.id = claim_id and claims.workspace_id = solution_claims.workspace_id and merged_into is not null
    returning solution_claims.*
  ), homeward as (
    select stray.workspace_id, solution_id, survivor, array_agg(distinct origin) as came_by
    from stray cross join lateral surviving_claim(stray.claim_id) as survivor
      cross join lateral unnest(case when origins = '{}' then array[stray.claim_id] else origins end) as origin
    group by stray.workspace_id, solution_id, survivor
  )
  insert into solution_claims as present (workspace_id, solution_id, claim_id, origins)
  select workspace_id, solution_id, survivor, came_by from homeward
  on conflict (solution_id, claim_id) do update
    set origins = case when present.origins = '{}' then array[present.claim_id] else present.origins end || excluded.origins;
end
$$;

-- As the role that sees all of one workspace: the owner of the tables sees none of their rows.
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
    perform move_to_survivors();
  end loop;
  perform set_config('assay.workspace_id', '', true);
  reset role;
end
$$;
drop function move_to_survivors();

alter table claims add column living boolean not null generated always as (merged_into is null) stored;
comment on column claims.living is 'Whether it is a claim of its own: evidence and Solutions hang on no other.';
alter table claims add constraint claims_living unique (workspace_id, id, living);

-- Each in place of the reference to the claim alone.
alter table claim_evidence add column claim_living boolean not null generated always as (true) stored;
comment on column claim_evidence.claim_living is 'Always so: what the reference to the claim asks of it.';
alter table claim_evidence
  add constraint claim_evidence_of_living_claim foreign key (workspace_id, claim_id, claim_living)
    references claims (workspace_id, id, living) deferrable initially deferred,
  drop constraint claim_evidence_workspace_id_claim_id_fkey;

alter table solution_claims add column claim_living boolean not null generated always as (true) stored;
comment on column solution_claims.claim_living is 'As of evidence.';
alter table solution_claims
  add constraint solution_claims_of_living_claim foreign key (workspace_id, claim_id, claim_living)
    references claims (workspace_id, id, living) deferrable initially deferred,
  drop constraint solution_claims_workspace_id_claim_id_fkey;

-- None of these columns is anybody's to change, so none is part of what is taken back.
drop trigger claims_changes_kept on claims;
select keep_changes_of('claims', '{id}', '{living}');
drop trigger claim_evidence_changes_kept on claim_evidence;
select keep_changes_of('claim_evidence', '{claim_id,signal_id}', '{newest_at,claim_living}');
drop trigger solution_claims_changes_kept on solution_claims;
select keep_changes_of('solution_claims', '{solution_id,claim_id}', '{claim_living}');
