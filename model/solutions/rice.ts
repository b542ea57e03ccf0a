import type { Transaction } from '../../infra/postgres/port.ts'

/** Figures of an earlier way to prioritize, kept for audit and for workflows that size effort. Nothing is ordered by them. */
export interface Rice {
  readonly reach: number | null
  readonly impact: number | null
  readonly confidence: number | null
  readonly effort: number | null
}

const READ = `select reach, impact, confidence, effort from solutions where id = $1`
const WRITE = `update solutions set reach = $2, impact = $3, confidence = $4, effort = $5 where id = $1`

const NONE: Rice = { reach: null, impact: null, confidence: null, effort: null }

export const readRice = async (transaction: Transaction, solutionId: string): Promise<Rice> =>
  (await transaction.query<Rice>(READ, [solutionId]))[0] ?? NONE

/** Sets those figures of a locked Solution that are given; answers what they were and are, or null when nothing changes. */
export const setRice = async (
  transaction: Transaction,
  solutionId: string,
  given: Partial<Rice>,
): Promise<{ readonly from: Rice; readonly to: Rice } | null> => {
  const from = await readRice(transaction, solutionId)
  const to = { ...from, ...given }
  if (JSON.stringify(from) === JSON.stringify(to)) return null
  await transaction.query(WRITE, [solutionId, to.reach, to.impact, to.confidence, to.effort])
  return { from, to }
}
