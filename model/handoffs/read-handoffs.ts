import type { Transaction } from '../../infra/postgres/port.ts'

const HANDOFFS = `
  select repository, number, title, url, branch, state, signal_id, occurred_at
  from handoff_proposals where solution_id = $1
  order by occurred_at desc, repository, number limit $2`

interface HandoffProposal {
  readonly repository: string
  readonly number: number
  readonly title: string
  readonly url: string | null
  readonly branch: string
  readonly state: 'opened' | 'reopened' | 'merged'
  readonly signal_id: string
  readonly occurred_at: Date
}

/** The pull requests that name a Solution, the latest news first. */
export const readHandoffs = (
  transaction: Transaction,
  solutionId: string,
  limit: number,
): Promise<readonly HandoffProposal[]> => transaction.query<HandoffProposal>(HANDOFFS, [solutionId, limit])
