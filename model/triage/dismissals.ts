import type { Transaction } from '../../infra/postgres/port.ts'

/** Author, reason and time of a dismissal. */
export interface Dismissal {
  readonly decision: number
  readonly made_by_name: string
  readonly key_label: string | null
  /** The Decision in the author's words. */
  readonly statement: string
  readonly made_at: Date
}

const LAST = `
  select number as decision, made_by_name, key_label, statement, made_at
  from decision_objects join decisions on decisions.id = decision_id
  where object_kind = 'signal' and object_id = $1 and change ->> 'triage' = 'dismiss'
  order by made_at desc, number desc limit 1`

/** The last Decision that dismissed a signal; undefined without one. */
export const lastDismissal = async (transaction: Transaction, signalId: string): Promise<Dismissal | undefined> =>
  (await transaction.query<Dismissal>(LAST, [signalId]))[0]
