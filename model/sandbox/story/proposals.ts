import { beganDaysAgo, CLAIMS } from './claims.ts'
import { DECISIONS } from './decisions.ts'
import type { Rows, StoryContext } from './story.ts'

/**
 * A pair that may be one: the claim, the older one, how alike they are, how likely they are the same, and why they were
 * proposed.
 */
type Proposed = readonly [claim: string, candidate: string, similarity: number, chance: number, reason: string]

const WAITING: readonly Proposed[] = [
  ['amex_402', 'amex', 0.88, 0.94, 'Both say that American Express is declined.'],
  ['day_labels', 'labels', 0.86, 0.92, 'Both ask for the labels of several orders in one go.'],
  ['year_export', 'exports', 0.81, 0.83, 'Both say that an export as CSV never ends.'],
  ['mobile', 'phone', 0.79, 0.77, 'Both say that the order list is cut off on a phone.'],
  ['weekly', 'schedule', 0.83, 0.71, 'Both ask for an export by mail each week.'],
  ['naira', 'currency', 0.74, 0.62, 'Both ask for prices in another currency.'],
  ['hangs', 'exports', 0.71, 0.44, 'Both say that getting orders out does not finish.'],
  ['address_order', 'addresses', 0.69, 0.31, 'Both say that addresses abroad are printed wrong.'],
  ['tabs', 'logged_out', 0.69, 0.28, 'Both say that people are signed out while they work.'],
  ['full_refund', 'returns', 0.58, 0.12, 'Both are about returning a part of an order.'],
]

/** What people made of earlier ones, by the Decisions of the story. */
export const MERGED: Proposed = ['spam_dutch', 'spam', 0.84, 0.88, 'Both say that order mails go to spam.']
const REFUSED: Proposed = ['jumps', 'mobile', 0.66, 0.22, 'Both are about the order list.']

interface Settled {
  readonly state: 'confirmed' | 'refused'
  /** The Decision of the story that settled it. */
  readonly by: string
}

export const proposalRows = ({ id, ago, owner }: StoryContext): Rows => {
  const row = ([claim, candidate, similarity, chance, reason]: Proposed, settled?: Settled) => {
    const began = CLAIMS[claim]
    const decision = settled && DECISIONS[settled.by]
    return {
      id: id(`proposal of ${claim}`),
      claim_id: id(`claim ${claim}`),
      candidate_claim_id: id(`claim ${candidate}`),
      score: 0.032,
      similarity,
      chance,
      reason,
      proposed_at: ago(began === undefined ? 0 : beganDaysAgo(began)),
      state: settled?.state ?? 'waiting',
      decided_at: decision ? ago(decision.days) : null,
      decided_by: decision ? owner.name : null,
      decided_reason: decision?.statement ?? null,
      decision_id: settled === undefined ? null : id(`decision ${settled.by}`),
    }
  }
  const rows = [
    ...WAITING.map(proposed => row(proposed)),
    row(MERGED, { state: 'confirmed', by: 'dutch_mails' }),
    row(REFUSED, { state: 'refused', by: 'apart' }),
  ]
  return [['merge_proposals', rows]]
}
