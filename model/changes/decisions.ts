import type { Transaction } from '../../infra/postgres/port.ts'
import type { DecisionId } from '../../schemas/domain/ids.ts'
import { type Changes, counted, type Window } from './window.ts'

export interface MadeDecision {
  readonly id: DecisionId
  readonly number: number
  readonly statement: string
  readonly made_by_name: string
  readonly key_label: string | null
  readonly at: Date
}

const MADE = `
  select id, number, statement, made_by_name, key_label, made_at as at, count(*) over ()::integer as in_all
  from decisions where made_at > $1 and made_at <= $2
  order by number desc
  limit $3 offset $4`

/** The Decisions that were made, the newest first. */
export const madeDecisions = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<MadeDecision>> =>
  counted(await transaction.query<MadeDecision & { in_all: number }>(MADE, [from, to, limit, offset]))
