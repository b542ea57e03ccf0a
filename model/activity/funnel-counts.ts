import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { SIGNAL_STATES } from '../../schemas/domain/vocabulary.ts'
import { type Clock, TIME_OF } from '../signals/happened.ts'
import { within } from './activity-clauses.ts'
import { activityRows } from './activity-rows.ts'

/** How many requests endpoints let in and refused, and how many signals became rows of their own. */
interface RequestCounts {
  readonly accepted: number
  readonly refused: number
  readonly deduplicated: number
}

/**
 * Counts from `from` until before `to`. What endpoints refused that take no signals is left out. Activity alone tells of what was refused: it
 * is nowhere else.
 */
export const countRequests = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { from, to, clock }: { readonly from: Date; readonly to: Date; readonly clock: Clock },
  withoutSignals: readonly string[],
): Promise<RequestCounts> => {
  const [counts] = await activityRows<RequestCounts>(analytics, workspaceId, {
    select: `
      uniqExactIf(subject_id, kind = 'signal.received') AS accepted,
      sumIf(times, kind = 'source.refused' AND source_id NOT IN {without_signals: Array(String)}) AS refused,
      uniqExactIf(subject_id, kind = 'signal.step' AND step = 'insert' AND outcome = 'next') AS deduplicated`,
    where: [within(clock, 'from', 'to'), `kind IN ('signal.received', 'signal.step', 'source.refused')`],
    parameters: { from, to, without_signals: withoutSignals },
  })
  return counts ?? { accepted: 0, refused: 0, deduplicated: 0 }
}

const decided = (at: string): string => `
  select count(distinct evidence.signal_id)::integer as in_claim,
    count(distinct evidence.signal_id) filter (where answers.solution_id is not null)::integer as in_solution,
    count(distinct evidence.signal_id) filter (where solutions.state = 'Done')::integer as done
  from signals
  join claim_evidence evidence on evidence.workspace_id = signals.workspace_id and evidence.signal_id = signals.id
  left join solution_claims answers on answers.workspace_id = evidence.workspace_id and answers.claim_id = evidence.claim_id
  left join solutions on solutions.workspace_id = answers.workspace_id and solutions.id = answers.solution_id
  where signals.state = any ($3) and ${at} >= $1 and ${at} < $2`

interface DecidedSignals {
  readonly in_claim: number
  readonly in_solution: number
  readonly done: number
}

/** Of the signals of a time, from `from` until before `to`: how many are evidence, are answered by a Solution, by one that is Done. */
export const countDecidedSignals = async (
  transaction: Transaction,
  { from, to, clock }: { readonly from: Date; readonly to: Date; readonly clock: Clock },
): Promise<DecidedSignals> =>
  (await transaction.query<DecidedSignals>(decided(TIME_OF[clock]()), [from, to, SIGNAL_STATES]))[0] ?? {
    in_claim: 0,
    in_solution: 0,
    done: 0,
  }
