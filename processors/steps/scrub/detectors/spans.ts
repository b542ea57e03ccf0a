import type { Span } from './detector.ts'

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
