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

/**
 * Every match of a global pattern. `matchAll` copies the pattern at each call, which costs more than a search of a
 * short text.
 */
export function* occurrences(pattern: RegExp, text: string): Iterable<RegExpExecArray> {
  let from = 0
  for (;;) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (match === null) return
    from = match.index + Math.max(1, match[0].length)
    yield match
  }
}

/** Of those that overlap, the one that starts first, and of those the longest; in the order of the text. */
export const withoutOverlap = <Found extends Span>(spans: Iterable<Found>): Found[] => {
  const kept: Found[] = []
  let end = 0
  for (const span of [...spans].toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start < end) continue
    kept.push(span)
    end = span.end
  }
  return kept
}
