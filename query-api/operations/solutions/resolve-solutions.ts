import type { Transaction } from '../../../infra/postgres/port.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { SolutionId } from '../../../schemas/domain/ids.ts'

/** The Solutions that identifiers stand for, each once. One that fits none or several refuses them all. */
export const resolveSolutions = async (
  transaction: Transaction,
  identifiers: readonly string[] | undefined,
): Promise<SolutionId[]> => {
  const ids = new Set<SolutionId>()
  for (const identifier of identifiers ?? []) {
    // Resolved as a Solution.
    ids.add((await resolveOne(transaction, 'solution', identifier)).id as SolutionId)
  }
  return [...ids]
}
