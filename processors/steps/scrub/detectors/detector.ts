import type { NumberingPlans } from './numbering-plans.ts'

/** What the detectors find, and what stands in its place: `[EMAIL]` for `EMAIL`. */
export const PERSONAL_DATA_KINDS = [
  ...(['EMAIL', 'PHONE', 'NATIONAL_ID', 'CARD', 'IP_ADDRESS'] as const),
  ...(['IBAN', 'CRYPTO'] as const),
]
export type PersonalDataKind = (typeof PERSONAL_DATA_KINDS)[number]

/** From `start` up to, not including, `end`, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Detector {
  readonly kind: PersonalDataKind
  /** Finds every occurrence, in time linear in the text's length, whatever the text. */
  readonly find: (text: string, plans: NumberingPlans) => Iterable<Span>
}
