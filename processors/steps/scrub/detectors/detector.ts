import type { NumberingPlans } from './numbering-plans.ts'

/** Kinds of personal data. The placeholder of `EMAIL` is `[EMAIL]`. */
export const PERSONAL_DATA_KINDS = [
  ...(['EMAIL', 'PHONE', 'NATIONAL_ID', 'CARD', 'IP_ADDRESS'] as const),
  ...(['IBAN', 'CRYPTO'] as const),
]
export type PersonalDataKind = (typeof PERSONAL_DATA_KINDS)[number]

/** UTF-16 positions; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Detector {
  readonly kind: PersonalDataKind
  /** Finds every occurrence, in time linear in the text's length for any text. */
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

/** Removes overlaps: the span that starts first wins, then the longest. Answers in the text's order. */
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
