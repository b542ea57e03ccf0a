import type { Transaction } from '../../infra/postgres/port.ts'
import { withinRemainingCpu } from '../../infra/runtime/cpu-budget.ts'
import { REFERENCE_PREFIXES } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'

/** The fields of a signal that a handoff is read from. */
export type HandoffSignal = Pick<SignalRecord, 'signal_id' | 'workspace_id' | 'channel' | 'received_at'> & {
  readonly content: NonNullable<SignalRecord['content']>
}

const STATES = ['opened', 'reopened', 'merged'] as const
type PullRequestState = (typeof STATES)[number]

/** A pull request with the numbers of the Solutions in its title, body or branch. */
interface NamedInPullRequest {
  readonly solutions: readonly number[]
  readonly repository: string
  readonly number: number
  readonly title: string
  readonly url: string | null
  readonly branch: string
  readonly state: PullRequestState
  /** Milliseconds since the epoch. */
  readonly occurred_at: number
}

/** More Solutions than a pull request is made for: one that lists a whole backlog is no handoff. */
const MAX_SOLUTIONS = 20
const MAX_TITLE = 300
/** Largest value of an integer column. */
const MAX_NUMBER = 2_147_483_647
// Bounded on both sides: RESOL-12 and SOL-12345678901 are no references, sol-12-export is one.
const NAMED = new RegExp(`(?<![\\p{L}\\p{N}])${REFERENCE_PREFIXES.solution}-([1-9]\\d{0,8})(?![\\p{L}\\p{N}])`, 'giu')

/** Null for a signal that is no pull request or names no Solution. */
export const namedInPullRequest = (signal: HandoffSignal): NamedInPullRequest | null => {
  const { channel, content, received_at } = signal
  const state = STATES.find(one => content.event === `pull_request.${one}`)
  if (channel !== 'code_host' || state === undefined) return null
  // Normalize writes a JSON object, and a heading that ends with the title.
  const { number, branch } = JSON.parse(content.metadata) as { readonly number?: unknown; readonly branch?: unknown }
  if (typeof number !== 'number' || number > MAX_NUMBER || typeof branch !== 'string') return null
  const title = content.text.slice(content.text.indexOf(': ') + 2)
  const solutions = [...new Set([...`${title}\n${branch}`.matchAll(NAMED)].map(([, digits]) => Number(digits)))]
  if (solutions.length === 0) return null
  return {
    solutions: solutions.slice(0, MAX_SOLUTIONS),
    repository: content.source ?? '',
    number,
    title: [...(title.split('\n')[0] ?? '')].slice(0, MAX_TITLE).join(''),
    url: content.source_url,
    branch,
    state,
    occurred_at: content.occurred_at ?? received_at,
  }
}

/** Numbers of missing Solutions propose nothing. Late news does not overwrite newer news. */
const PROPOSE = `
  insert into handoff_proposals as known
    (workspace_id, solution_id, repository, number, title, url, branch, state, signal_id, occurred_at)
  select proposed.workspace_id, solutions.id, proposed.repository, proposed.number, proposed.title, proposed.url,
    proposed.branch, proposed.state, proposed.signal_id, proposed.occurred_at
  from jsonb_to_recordset($1::jsonb) as proposed
    (workspace_id uuid, solution integer, repository text, number integer, title text, url text, branch text, state text,
     signal_id uuid, occurred_at timestamptz)
  join solutions on solutions.workspace_id = proposed.workspace_id and solutions.number = proposed.solution
  order by solutions.id, proposed.repository, proposed.number
  on conflict (solution_id, repository, number) do update set
    title = excluded.title,
    url = excluded.url,
    branch = excluded.branch,
    state = excluded.state,
    signal_id = excluded.signal_id,
    occurred_at = excluded.occurred_at
  where excluded.occurred_at >= known.occurred_at`

/** Reads each signal within the step's remaining CPU budget. */
const namedIn = (signals: readonly HandoffSignal[]) =>
  withinRemainingCpu(() => signals.map(signal => [signal, namedInPullRequest(signal)] as const))

/**
 * Stores each pull request that names a Solution as a proposed handoff, once for a Solution and pull request: news of a
 * reopening or a merge updates the proposal. A proposal moves nothing.
 */
export const proposeHandoffs = async (transaction: Transaction, signals: readonly HandoffSignal[]): Promise<void> => {
  const proposals = new Map<string, { readonly solution: number; readonly occurred_at: Date }>()
  for (const [signal, named] of namedIn(signals)) {
    if (named === null) continue
    const { solutions, ...pull } = named
    const { workspace_id, signal_id } = signal
    const proposal = { ...pull, workspace_id, signal_id, occurred_at: new Date(pull.occurred_at) }
    for (const solution of solutions) {
      // One statement cannot write a row twice, so the latest news of a pull request in the batch is kept.
      const key = [workspace_id, solution, pull.number, pull.repository].join(' ')
      const known = proposals.get(key)
      if (known === undefined || known.occurred_at <= proposal.occurred_at)
        proposals.set(key, { ...proposal, solution })
    }
  }
  if (proposals.size > 0) await transaction.query(PROPOSE, [JSON.stringify([...proposals.values()])])
}
