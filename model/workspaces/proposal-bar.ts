import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

/** For each hundred signals so many pairs may wait, within bounds. */
const WAITING_A_HUNDRED = 12
const FEWEST_WAITING = 20
const MAX_WAITING = 500

/** Pairs that a judge found to be the same wait for people whatever their chance. */
const IS_UP_TO_THE_BAR = 'found_by is null'
const CHANCE = 'coalesce(chance, 0::real)'

/** The best of a state, one more than may wait. */
const best = (state: 'waiting' | 'set_aside'): string => `(
  select ${CHANCE} as chance from merge_proposals
  where workspace_id = allowed.workspace_id and state = '${state}' and ${IS_UP_TO_THE_BAR}
  order by ${CHANCE} desc limit allowed.most + 1)`

const SET_BARS = `
  with allowed as materialized (
    select asked.id as workspace_id, greatest(${FEWEST_WAITING}, least(${MAX_WAITING}, ${WAITING_A_HUNDRED} * coalesce((
      select last_number from reference_counters where workspace_id = asked.id and kind = 'signal'), 0) / 100)) as most
    from unnest($1::uuid[]) as asked (id)
  ), found as (
    select workspace_id, coalesce((
      select chance from (${best('waiting')} union all ${best('set_aside')}) as ranked
      order by chance desc offset allowed.most limit 1), 0) as bar
    from allowed
  ), changed as (
    insert into proposal_bars as stored (workspace_id, bar)
    select workspace_id, bar from found order by workspace_id
    on conflict (workspace_id) do update set bar = excluded.bar, changed_at = now() where stored.bar <> excluded.bar
    returning workspace_id, bar
  )
  select changed.workspace_id, changed.bar > coalesce(before.bar, 0) as is_raised
  from changed left join proposal_bars as before using (workspace_id)`

const SET_ASIDE = `
  update merge_proposals set state = 'set_aside'
  from proposal_bars
  where proposal_bars.workspace_id = any ($1::uuid[]) and merge_proposals.workspace_id = proposal_bars.workspace_id
    and state = 'waiting' and ${IS_UP_TO_THE_BAR} and bar > 0 and ${CHANCE} <= bar`
const BRING_BACK = `
  update merge_proposals set state = 'waiting'
  from proposal_bars
  where proposal_bars.workspace_id = any ($1::uuid[]) and merge_proposals.workspace_id = proposal_bars.workspace_id
    and state = 'set_aside' and ${IS_UP_TO_THE_BAR} and ${CHANCE} > coalesce(nullif(bar, 0), -1)`

/**
 * Raises the bar of each workspace where more pairs wait than twelve for each hundred signals (20 at least, 500 at most): the likeliest wait, the
 * others are set aside. It falls, and they wait again, as people settle what waits.
 */
export const keepToBars = async (transaction: Transaction, workspaceIds: readonly WorkspaceId[]): Promise<void> => {
  const asked = [...new Set(workspaceIds)]
  if (asked.length === 0) return
  const changed = await transaction.query<{ workspace_id: WorkspaceId; is_raised: boolean }>(SET_BARS, [asked])
  const { true: raised = [], false: lowered = [] } = Object.groupBy(changed, ({ is_raised }) => `${is_raised}` as const)
  await setStates(transaction, SET_ASIDE, raised)
  await setStates(transaction, BRING_BACK, lowered)
}

const setStates = async (
  transaction: Transaction,
  statement: string,
  changed: readonly { readonly workspace_id: WorkspaceId }[],
): Promise<void> => {
  if (changed.length > 0) await transaction.query(statement, [changed.map(({ workspace_id }) => workspace_id)])
}

const READ = `
  select asked.id as workspace_id, coalesce(bar, 0) as bar, coalesce(shift, 0) as shift, coalesce(learned_from, 0) as learned_from
  from unnest($1::uuid[]) as asked (id) left join proposal_bars on workspace_id = asked.id`

export interface ProposalBar {
  readonly workspace_id: WorkspaceId
  /** A stored chance that a pair must be above to wait; 0 while all may. */
  readonly bar: number
  /** What the workspace's own decisions add to the logarithm of the odds of a stored chance, and how many they are. */
  readonly shift: number
  readonly learned_from: number
}

export const readBars = async (
  transaction: Transaction,
  workspaceIds: readonly WorkspaceId[],
): Promise<ReadonlyMap<WorkspaceId, ProposalBar>> => {
  const rows = await transaction.query<ProposalBar>(READ, [workspaceIds])
  return new Map(rows.map(row => [row.workspace_id, row]))
}

/** Whether a pair of this chance waits for people as the bar is now. Chances and bars are stored with 32 bits. */
export const isAboveBar = (chance: number, bar: ProposalBar | undefined): boolean =>
  bar === undefined || bar.bar === 0 || Math.fround(chance) > Math.fround(bar.bar)

const COUNT_SET_ASIDE = `select count(*)::integer as count from merge_proposals where workspace_id = $1 and state = 'set_aside'`

/** How many pairs are set aside. */
export const countSetAside = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT_SET_ASIDE, [workspaceId]))[0]?.count ?? 0

const STORE_SHIFT = `
  insert into proposal_bars (workspace_id, shift, learned_from) values ($1, $2, $3)
  on conflict (workspace_id) do update set shift = excluded.shift, learned_from = excluded.learned_from`

export const storeShift = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { shift, learnedFrom }: { readonly shift: number; readonly learnedFrom: number },
): Promise<void> => {
  await transaction.query(STORE_SHIFT, [workspaceId, shift, learnedFrom])
}
