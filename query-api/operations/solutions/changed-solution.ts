import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { boardRow } from '../../../model/board/order.ts'
import { DecisionBasis } from '../decisions/decision-basis.ts'
import { SolutionShape, toSolution } from '../parts/solution-shape.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'

/** What a write on a Solution answers: the Solution as it is now, what changed, and the Decision that it hangs on. */
export const ChangedSolution = Type.Object({
  solution: SolutionShape,
  changed: Type.Record(Type.String(), Type.Unknown(), { description: 'Each changed field, from and to.' }),
  decision: DecisionBasis,
})

export const changedSolution = async (
  transaction: Transaction,
  now: Date,
  id: string,
  changed: Readonly<Record<string, unknown>>,
  decision: DecisionBasis,
): Promise<Static<typeof ChangedSolution>> => ({
  solution: toSolution((await boardRow(transaction, now, id)) ?? throwDeleted('Solution')),
  changed: { ...changed },
  decision,
})
