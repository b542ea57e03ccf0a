import type { Transaction } from './port.ts'

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

const rowsIn = (node: PlanNode): number => {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  const own = (node['Actual Rows'] + removed) * node['Actual Loops']
  return own + (node.Plans ?? []).reduce((sum, each) => sum + rowsIn(each), 0)
}

/** How many rows a statement goes over, in all of its parts. It is run for that: what it writes is written. */
export const rowsGoneOver = async (
  transaction: Transaction,
  statement: string,
  values: readonly unknown[] = [],
): Promise<number> => {
  const explained = `explain (analyze, timing off, format json) ${statement}`
  const [plan] = await transaction.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(explained, values)
  if (plan === undefined) throw new Error('There is no plan.')
  return rowsIn(plan['QUERY PLAN'][0].Plan)
}
