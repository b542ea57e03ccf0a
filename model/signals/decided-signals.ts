import type { Transaction } from '../../infra/postgres/port.ts'
import { SIGNAL_STATES } from '../../schemas/domain/vocabulary.ts'
import { type Clock, TIME_OF } from './happened.ts'

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
