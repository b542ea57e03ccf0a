import type { Transaction } from '../../infra/postgres/port.ts'
import type { HandoffId } from '../../schemas/domain/ids.ts'
import type { HandoffKind } from '../../schemas/domain/vocabulary.ts'
import type { Author } from '../author.ts'

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
export const proposedHandoffs = (
  transaction: Transaction,
  solutionId: string,
  limit: number,
): Promise<readonly HandoffProposal[]> => transaction.query<HandoffProposal>(HANDOFFS, [solutionId, limit])

/** A design or pull request that a Solution was handed off with. */
export interface ConnectedHandoff extends Author {
  readonly id: HandoffId
  readonly kind: HandoffKind
  readonly url: string
  /** The pull request of the proposal that it confirmed, with what was last heard of it; null for another. */
  readonly pull_request: { readonly repository: string; readonly number: number; readonly state: string } | null
  /** The number of the Decision that it hangs on. */
  readonly decision: number
  readonly handed_off_at: Date
  /** When its Decision was reversed; null while it stands. */
  readonly withdrawn_at: Date | null
}

const CONNECTED = `
  select handoffs.id, kind, handoffs.url, handoffs.author_name, handoffs.key_label, handed_off_at, withdrawn_at, decisions.number as decision,
    case when proposed.state is not null then
      jsonb_build_object('repository', proposed.repository, 'number', proposed.number, 'state', proposed.state)
    end as pull_request
  from handoffs
  join decisions on decisions.id = decision_id
  left join handoff_proposals proposed
    on proposed.solution_id = handoffs.solution_id and proposed.repository = handoffs.repository and proposed.number = handoffs.number
  where handoffs.solution_id = $1
  order by handed_off_at desc, handoffs.id desc
  limit $2`

/** What a Solution was handed off with, the last first. */
export const connectedHandoffs = (
  transaction: Transaction,
  solutionId: string,
  limit: number,
): Promise<readonly ConnectedHandoff[]> => transaction.query<ConnectedHandoff>(CONNECTED, [solutionId, limit])

const STANDS = `
  select from handoffs where solution_id = $1 and url = $2 and withdrawn_at is null limit 1`

/** Whether a Solution is handed off with what is at `url`. */
export const isConnected = async (transaction: Transaction, solutionId: string, url: string): Promise<boolean> =>
  (await transaction.query<object>(STANDS, [solutionId, url])).length > 0
