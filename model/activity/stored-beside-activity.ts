import type { Transaction } from '../../infra/postgres/port.ts'
import type { SourceId } from '../../schemas/domain/ids.ts'

/** What questions about activity need of Postgres: ClickHouse knows neither names nor what members decided. */

export interface NamedSource {
  readonly id: SourceId
  readonly name: string
  readonly kind: string
}

/** As many as a workspace may sensibly have; more would not be told one by one. */
const SOURCES = `select id, name, kind from sources where deleted_at is null order by created_at, id limit 1000`

/** The sources that are not deleted, the oldest first. */
export const namedSources = (transaction: Transaction): Promise<NamedSource[]> =>
  transaction.query<NamedSource>(SOURCES)

const WITHOUT_SIGNALS = `select id from sources where kind = 'metric'`

/** The endpoints that take no signals: what they refuse is none. */
export const sourcesWithoutSignals = async (transaction: Transaction): Promise<string[]> =>
  (await transaction.query<{ id: string }>(WITHOUT_SIGNALS)).map(({ id }) => id)

const DECIDED = `
  select count(distinct evidence.signal_id)::integer as in_claim,
    count(distinct evidence.signal_id) filter (where answers.solution_id is not null)::integer as in_solution,
    count(distinct evidence.signal_id) filter (where solutions.state = 'Done')::integer as done
  from signals
  join claim_evidence evidence on evidence.workspace_id = signals.workspace_id and evidence.signal_id = signals.id
  left join solution_claims answers on answers.workspace_id = evidence.workspace_id and answers.claim_id = evidence.claim_id
  left join solutions on solutions.workspace_id = answers.workspace_id and solutions.id = answers.solution_id
  where signals.received_at >= $1 and signals.received_at < $2`

interface DecidedSignals {
  readonly in_claim: number
  readonly in_solution: number
  readonly done: number
}

/** Of the signals received from `from` until before `to`: how many are evidence, are answered by a Solution, by one that is Done. */
export const countDecidedSignals = async (
  transaction: Transaction,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<DecidedSignals> =>
  (await transaction.query<DecidedSignals>(DECIDED, [from, to]))[0] ?? { in_claim: 0, in_solution: 0, done: 0 }
