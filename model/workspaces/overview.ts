import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Classification, FirstStep } from '../../schemas/domain/vocabulary.ts'
import { WAITING_DEAD_LETTERS } from '../dead-letters/selection.ts'

interface NamedWorkspace {
  readonly id: WorkspaceId
  readonly name: string
  readonly slug: string
  readonly sandbox: boolean
}

const NAMED = `select id, name, slug, sandbox from workspaces`

/** The transaction's workspace. */
export const readOwnWorkspace = async (transaction: Transaction): Promise<NamedWorkspace> => {
  const [workspace] = await transaction.query<NamedWorkspace>(NAMED)
  if (workspace === undefined) throw new Error('The workspace of the transaction is not visible in it.')
  return workspace
}

/** Counts of everything in a workspace, and of what waits for people. */
export interface WorkspaceCounts {
  readonly sources: number
  readonly signals: number
  readonly signals_in_triage: number
  /** Classifications without a signal are missing. */
  readonly triage_by_classification: Readonly<Partial<Record<Classification, number>>>
  readonly claims: number
  /** Emerging or established. */
  readonly open_claims: number
  readonly waiting_proposals: number
  readonly solutions: number
  /** Neither Done nor Dropped. */
  readonly open_solutions: number
  readonly map_nodes: number
  readonly waiting_dead_letters: number
}

const OPEN_CLAIMS = `state in ('emerging', 'established')`

// Snoozed signals are not in Triage. Claims that are not merged are the rest of all: both counts come from indexes
// alone.
const COUNTS = `
  with asleep as (
    select classification, count(*) as signals from snoozed_signals($1) group by classification
  ), awake as (
    select classification, signal_counts.signals - coalesce(asleep.signals, 0) as signals
    from signal_counts left join asleep using (classification) where state = 'triage'
  )
  select
    (select count(*)::integer from sources where deleted_at is null) as sources,
    (select coalesce(sum(signals), 0)::integer from signal_counts) as signals,
    (select coalesce(sum(signals), 0)::integer from awake) as signals_in_triage,
    (select coalesce(jsonb_object_agg(classification, signals), '{}') from awake where signals > 0) as triage_by_classification,
    ((select count(*) from claims) - (select count(*) from claims where merged_into is not null))::integer as claims,
    ((select count(*) from claims where ${OPEN_CLAIMS})
      - (select count(*) from claims where merged_into is not null and ${OPEN_CLAIMS}))::integer as open_claims,
    (select count(*)::integer from merge_proposals where state = 'waiting') as waiting_proposals,
    (select count(*)::integer from solutions) as solutions,
    (select count(*)::integer from solutions where state not in ('Done', 'Dropped')) as open_solutions,
    (select count(*)::integer from map_nodes) as map_nodes,
    (select count(*)::integer from ${WAITING_DEAD_LETTERS}) as waiting_dead_letters`

export const countEverything = async (transaction: Transaction, now: Date): Promise<WorkspaceCounts> => {
  const [counts] = await transaction.query<WorkspaceCounts>(COUNTS, [now])
  if (counts === undefined) throw new Error('A statement without a from clause answered no row.')
  return counts
}

/** Work that waits for a person's decision, each count at most `MAX_WAITING`. */
export interface WaitingCounts {
  readonly signals: number
  readonly proposals: number
  readonly dead_letters: number
  /** Solutions In Review. */
  readonly in_review: number
}

export const MAX_WAITING = 1000

const upTo = (rows: string): string =>
  `(select count(*)::integer from (select ${rows} limit ${MAX_WAITING}) as waiting)`

// Each count stops at the shown maximum. Triage's is stored as signals come and go.
const WAITING = `
  select
    least(${MAX_WAITING}, (select coalesce(sum(signals), 0) from signal_counts where state = 'triage')
      - (select count(*) from snoozed_signals($1)))::integer as signals,
    ${upTo(`from merge_proposals where state = 'waiting'`)} as proposals,
    ${upTo(`from ${WAITING_DEAD_LETTERS}`)} as dead_letters,
    ${upTo(`from solutions where state = 'In Review'`)} as in_review`

/** One statement with a few index look-ups, whatever the size: pages call it again and again. */
export const readWaitingCounts = async (transaction: Transaction, now: Date): Promise<WaitingCounts> => {
  const [counts] = await transaction.query<WaitingCounts>(WAITING, [now])
  if (counts === undefined) throw new Error('A statement without a from clause answered no row.')
  return counts
}

type FirstStepsRow = Readonly<Record<FirstStep, boolean>> & {
  /** True when it has a signal and is no sandbox. */
  readonly is_begun: boolean
  readonly was_dismissed: boolean
}

/** Signals from which a source counts as connected; fewer may be a person's tries. */
const CAME_BY_THEMSELVES = 5

// Each step is told by its result, whoever did it and how. No count goes further than needed.
const READ = `
  select
    exists (select from signals) and not exists (select from workspaces where id = $1 and sandbox) as is_begun,
    exists (select from sources where deleted_at is null and kind not in ('signal', 'metric'))
      or (select count(*) from (select from signals where source_id is not null limit ${CAME_BY_THEMSELVES}) as few)
        >= ${CAME_BY_THEMSELVES} as connect_source,
    exists (select from signals where state <> 'triage') as decide_signal,
    exists (select from solution_claims) as make_solution,
    exists (select from mcp_keys where workspace_id = $1 and last_used_at is not null) as connect_agent,
    exists (select from members where workspace_id = $1 and user_id <> $2)
      or exists (select from invitations where workspace_id = $1) as invite_member,
    exists (select from dismissed_first_steps where user_id = $2) as was_dismissed`

/** The finished first steps of a workspace, and whether the member has hidden the list. */
export const readFirstSteps = async (
  transaction: Transaction,
  workspaceId: string,
  userId: string,
): Promise<FirstStepsRow | undefined> => (await transaction.query<FirstStepsRow>(READ, [workspaceId, userId]))[0]

const DISMISS = `
  insert into dismissed_first_steps (workspace_id, user_id) values ($1, $2) on conflict do nothing`
const SHOW = `delete from dismissed_first_steps where workspace_id = $1 and user_id = $2`

/** Hides the list of first steps for a member, or shows it. */
export const dismissFirstSteps = async (
  transaction: Transaction,
  workspaceId: string,
  userId: string,
  dismissed: boolean,
): Promise<void> => {
  await transaction.query(dismissed ? DISMISS : SHOW, [workspaceId, userId])
}
