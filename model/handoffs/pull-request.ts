import { REFERENCE_PREFIXES } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'

/** A signal that every field of a handoff can be read from. */
export type HandoffSignal = Pick<SignalRecord, 'signal_id' | 'workspace_id' | 'channel' | 'received_at'> & {
  readonly content: NonNullable<SignalRecord['content']>
}

const STATES = ['opened', 'reopened', 'merged'] as const
type PullRequestState = (typeof STATES)[number]

/** A pull request of a signal, with the numbers of the Solutions that its title, body or branch names. */
export interface NamedInPullRequest {
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

/** More than any pull request is for: one that lists a whole backlog is no handoff of it. */
const MAX_SOLUTIONS = 20
const MAX_TITLE = 300
/** What a column of type integer holds. */
const MAX_NUMBER = 2_147_483_647
// Bounded on both sides: neither RESOL-12 nor SOL-12345678901 is a reference, sol-12-export is.
const NAMED = new RegExp(`(?<![\\p{L}\\p{N}])${REFERENCE_PREFIXES.solution}-([1-9]\\d{0,8})(?![\\p{L}\\p{N}])`, 'giu')

/** Null for a signal that is no pull request, or one that names no Solution. */
export const namedInPullRequest = (signal: HandoffSignal): NamedInPullRequest | null => {
  const { channel, content, received_at } = signal
  const state = STATES.find(one => content.event === `pull_request.${one}`)
  if (channel !== 'code_host' || state === undefined) return null
  // Normalize wrote these: a JSON object, and a heading that ends in the title.
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
