import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

/** Least corrected chance of a pair that waits for people. People can ask for less likely ones. */
export const LEAST_CHANCE = 0.01

/** Pairs that people are shown for each hundred signals, within bounds, and pairs that a request adds. */
export const SHOWN_A_HUNDRED = 20
const FEWEST_SHOWN = 20
const MAX_WAITING = 500
const ASKED_FOR = 20

/** Condition: the bar applies. A pair that a judge found to be the same always waits. */
const IS_UP_TO_THE_BAR = 'found_by is null'
const CHANCE = 'coalesce(chance, 0::real)'

/** The stored chance that corresponds to `LEAST_CHANCE` after the correction. */
const floorAt = (shift: string): string =>
  `(1 / (1 + exp(-(ln(${LEAST_CHANCE}::float8 / (1 - ${LEAST_CHANCE})) - ${shift}))))`

/** The best pairs of a state, one more than may wait. */
const best = (state: 'waiting' | 'set_aside'): string => `(
  select ${CHANCE} as chance from merge_proposals
  where workspace_id = allowed.workspace_id and state = '${state}' and ${IS_UP_TO_THE_BAR} and withdrawn_by is null
  order by ${CHANCE} desc limit allowed.most + 1)`

/** The chance of the pair at a place among waiting pairs and those set aside, best first; 0 when there are fewer. */
const behind = (place: string): string => `coalesce((
  select chance from (${best('waiting')} union all ${best('set_aside')}) as ranked
  order by chance desc offset ${place} limit 1), 0)`

const PLACES = `(greatest(${FEWEST_SHOWN}, ${SHOWN_A_HUNDRED} * coalesce((
  select last_number::bigint from reference_counters where workspace_id = requested.id and kind = 'signal'), 0) / 100))`
const SETTLED = `(
  select count(*) from merge_proposals
  where workspace_id = requested.id and state in ('confirmed', 'refused') and not implied and decision_id is not null
    and ${IS_UP_TO_THE_BAR} and chance is not null)`

// The bar rises until no more pairs wait than may, and falls only until as many were shown in all.
const SET_BARS = `
  with places as materialized (
    select requested.id as workspace_id, ${PLACES} + coalesce(asked_for, 0) as places, ${SETTLED} as settled
    from unnest($1::uuid[]) as requested (id) left join proposal_bars on workspace_id = requested.id
  ), allowed as materialized (
    select workspace_id, least(${MAX_WAITING}, places) as most, greatest(0, least(${MAX_WAITING}, places - settled)) as room from places
  ), found as (
    select workspace_id, ${behind('allowed.most')} as least, ${behind('allowed.room')} as most from allowed
  )
  insert into proposal_bars as stored (workspace_id, bar)
  select workspace_id, least from found order by workspace_id
  on conflict (workspace_id) do update
    set bar = least(greatest(stored.bar, excluded.bar), (select most from found where found.workspace_id = stored.workspace_id)), changed_at = now()
  where stored.bar <> least(greatest(stored.bar, excluded.bar), (select most from found where found.workspace_id = stored.workspace_id))`

/** Condition: the pair is too unlikely to wait, and nobody asked for pairs that unlikely. */
const IS_TOO_UNLIKELY = `(chance < ${floorAt('shift')} and chance <= asked_to)`

const SET_ASIDE = `
  update merge_proposals set state = 'set_aside'
  from proposal_bars
  where proposal_bars.workspace_id = any ($1::uuid[]) and merge_proposals.workspace_id = proposal_bars.workspace_id
    and state = 'waiting' and ${IS_UP_TO_THE_BAR}
    and ((bar > 0 and ${CHANCE} <= bar) or ${IS_TOO_UNLIKELY} or withdrawn_by is not null)`
const BRING_BACK = `
  update merge_proposals set state = 'waiting'
  from proposal_bars
  where proposal_bars.workspace_id = any ($1::uuid[]) and merge_proposals.workspace_id = proposal_bars.workspace_id
    and state = 'set_aside' and ${IS_UP_TO_THE_BAR} and withdrawn_by is null
    and (${CHANCE} > bar or bar = 0) and coalesce(not ${IS_TOO_UNLIKELY}, true)`

/**
 * Called when new pairs came. When more wait than 20 for each hundred signals (at least 20, at most 500), the likeliest
 * stay and the others are set aside. They come back as signals come, until as many were shown in all; never because
 * people settled waiting pairs.
 */
export const keepToBars = async (transaction: Transaction, workspaceIds: readonly WorkspaceId[]): Promise<void> => {
  const distinctIds = [...new Set(workspaceIds)]
  if (distinctIds.length === 0) return
  await Promise.all([SET_BARS, SET_ASIDE, BRING_BACK].map(statement => transaction.query(statement, [distinctIds])))
}

/**
 * Called when people settled pairs: sets aside pairs that are too unlikely by these decisions. No others take their
 * place.
 */
export const setAsideUnlikely = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<void> => {
  await transaction.query(SET_ASIDE, [[workspaceId]])
}

const ASK = `
  insert into proposal_bars as stored (workspace_id, asked_for, asked_to)
  select requested.id, greatest(0, ${ASKED_FOR} + ${SETTLED} + (
      select count(*) from merge_proposals where workspace_id = requested.id and state = 'waiting' and ${IS_UP_TO_THE_BAR}) - ${PLACES}),
    coalesce((
      select ${CHANCE} from merge_proposals
      where workspace_id = requested.id and state = 'set_aside' and ${IS_UP_TO_THE_BAR} and withdrawn_by is null
      order by ${CHANCE} desc offset ${ASKED_FOR} limit 1), 0)
  from unnest($1::uuid[]) as requested (id)
  on conflict (workspace_id) do update
    set asked_for = greatest(stored.asked_for, excluded.asked_for), asked_to = least(stored.asked_to, excluded.asked_to)`

/** Called when a person asks for less likely pairs: the next twenty wait, however unlikely they are. */
export const showLessLikely = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<void> => {
  await transaction.query(ASK, [[workspaceId]])
  await keepToBars(transaction, [workspaceId])
}

const READ = `
  select requested.id as workspace_id, coalesce(bar, 0) as bar, coalesce(asked_to, 1) as asked_to, coalesce(shift, 0) as shift,
    coalesce(learned_from, 0) as learned_from
  from unnest($1::uuid[]) as requested (id) left join proposal_bars on workspace_id = requested.id`

export interface ProposalBar {
  readonly workspace_id: WorkspaceId
  /** Stored chance above which pairs wait; 0 while all do. */
  readonly bar: number
  /** Stored chance above which people asked for pairs; 1 until they ask. */
  readonly asked_to: number
  /** Addition to a stored chance's log odds, and the number of decisions that it comes from. */
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

/** True when a pair of this chance is above the present bar. Chances and bars are stored in single precision. */
export const isAboveBar = (chance: number, bar: ProposalBar | undefined): boolean =>
  bar === undefined || bar.bar === 0 || Math.fround(chance) > Math.fround(bar.bar)

const COUNT_SET_ASIDE = `
  select count(*)::integer as count from merge_proposals
  where workspace_id = $1 and state = 'set_aside' and ${IS_UP_TO_THE_BAR} and withdrawn_by is null`

/** Pairs that are set aside and would wait after a request. */
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
