import type { CLAIM_KINDS, CLAIM_STATES } from '../../../../schemas/domain/vocabulary.ts'

export const CLAIM_ORDERS = [
  { value: 'evidence_priority', label: 'By evidence priority' },
  { value: 'signals', label: 'By signals' },
  { value: 'actors', label: 'By senders' },
  { value: 'last_evidence_at', label: 'Newest evidence first' },
  { value: 'created_at', label: 'Newest claim first' },
] as const
export type ClaimOrder = (typeof CLAIM_ORDERS)[number]['value']

/** Which claims a list shows; all of them where a field is absent. */
export interface ClaimFilter {
  readonly kinds?: (typeof CLAIM_KINDS)[number][]
  readonly states?: (typeof CLAIM_STATES)[number][]
}
