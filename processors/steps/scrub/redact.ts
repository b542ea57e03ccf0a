import { card } from './detectors/card.ts'
import type { Detector, PersonalDataKind, Span } from './detectors/detector.ts'
import { email } from './detectors/email.ts'
import { ipAddress } from './detectors/ip-address.ts'
import { nationalId } from './detectors/national-id/national-id.ts'
import { phone } from './detectors/phone.ts'
import { protectedSpans } from './detectors/protected.ts'
import { withoutOverlap } from './detectors/spans.ts'

/** The most certain first: where two find the same characters, the earlier one names them. */
const DETECTORS: readonly Detector[] = [email, ipAddress, card, nationalId, phone]

export type Replaced = Map<PersonalDataKind, number>

interface Finding extends Span {
  /** Null for what is kept because of its form. */
  readonly kind: PersonalDataKind | null
}

export const placeholder = (kind: PersonalDataKind): string => `[${kind}]`

/** The text with a placeholder for everything personal that the detectors find, each counted in `replaced`. */
export const redact = (text: string, replaced: Replaced): string => {
  let redacted = ''
  let copied = 0
  for (const { start, end, kind } of findings(text)) {
    if (kind === null) continue
    redacted += text.slice(copied, start) + placeholder(kind)
    copied = end
    replaced.set(kind, (replaced.get(kind) ?? 0) + 1)
  }
  return copied === 0 ? text : redacted + text.slice(copied)
}

/** What was found, in the order of the text and without overlap. */
const findings = (text: string): readonly Finding[] => {
  const byRank = DETECTORS.map(({ kind, find }) => Array.from(find(text), span => ({ ...span, kind })))
  const [emails = [], ...others] = byRank
  let chosen: readonly Finding[] = withoutOverlap(emails)
  for (const rank of [protectedSpans(text).map(span => ({ ...span, kind: null })), ...others]) {
    chosen = merge(chosen, withoutOverlap<Finding>(rank))
  }
  return chosen
}

/** Adds to `chosen` those of `added` that touch none of it; both are in order, so one pass is enough. */
const merge = (chosen: readonly Finding[], added: readonly Finding[]): readonly Finding[] => {
  let next = 0
  const free = added.filter(span => {
    while ((chosen[next]?.end ?? Number.POSITIVE_INFINITY) <= span.start) next += 1
    return (chosen[next]?.start ?? Number.POSITIVE_INFINITY) >= span.end
  })
  return [...chosen, ...free].toSorted((a, b) => a.start - b.start)
}
