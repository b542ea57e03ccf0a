import { type Check, daysBefore, type Facts, type Finding, named, type SourceFacts } from '../finding.ts'

/** Refusals of the sources' endpoints in the last 24 hours. */

/** A finding about refusals, by the edge's reasons. */
interface RefusalRule {
  readonly finding: string
  readonly reasons: (reason: string) => boolean
  /** Fewer refusals are accidental. */
  readonly atLeast: number
  readonly cause: string
  readonly remedy: string
  readonly mended_by: Finding['mended_by']
}

const SIGNATURE = /^(signature|secret)_(absent|malformed|differs)$|^timestamp_malformed$|^too_many_failures$/
const EDGE = /_unavailable$|^(internal|settings_unreadable|secret_unreadable|overloaded)$/
const SHAPE =
  /^(invalid_|content_|charset$|unclear_length$|payload_absent$|event_absent$|mail_)|_too_(large|slow)$|^too_complex$|^without_text$/

const RULES: readonly RefusalRule[] = [
  {
    finding: 'signature_failures',
    reasons: reason => SIGNATURE.test(reason),
    atLeast: 3,
    cause:
      'Requests are not signed with the source’s secret: a wrong or rotated secret, a body changed on its way, or strangers.',
    mended_by: 'sender',
    remedy: 'Compare the sender with a request of service_connect mode test: same secret, signature of the raw body.',
  },
  {
    finding: 'clock_skew',
    reasons: reason => reason === 'timestamp_outside',
    atLeast: 1,
    cause:
      'A sender’s signatures carry a time more than 5 minutes from now: its clock is wrong, or it repeats old requests.',
    mended_by: 'sender',
    remedy: 'Have the sender’s clock set by NTP, and every attempt signed anew.',
  },
  {
    finding: 'limit_hit',
    reasons: reason => reason === 'rate_limited',
    atLeast: 1,
    cause: 'A sender sends more than its endpoint takes, and is answered 429.',
    mended_by: 'sender',
    remedy: 'Have the sender wait as Retry-After says and repeat; what it drops instead is lost.',
  },
  {
    finding: 'refused_requests',
    reasons: reason => SHAPE.test(reason),
    atLeast: 3,
    cause:
      'A sender sends what its endpoint cannot read: another shape, type or encoding than documented, or too much.',
    mended_by: 'sender',
    remedy:
      'Correct the sender; for a connection, correct settings.mapping with service_connect mode update and dry_run.',
  },
  {
    finding: 'endpoint_failures',
    reasons: reason => EDGE.test(reason),
    atLeast: 1,
    cause:
      'An endpoint could not take right requests, through no fault of their sender; senders that repeat lose nothing.',
    mended_by: 'operator',
    remedy: 'An operator looks at the edge, its log and its stores.',
  },
]

const refusedFor = ({ lastDay }: SourceFacts, reasons: RefusalRule['reasons']) =>
  (lastDay?.refusals_last_day ?? []).filter(({ reason }) => reasons(reason))

const sum = (counts: readonly { readonly count: number }[]): number =>
  counts.reduce((total, { count }) => total + count, 0)

const firstOf = ({ firstRefusals }: SourceFacts, refusals: readonly { readonly reason: string }[]): number | null => {
  const found = refusals.flatMap(({ reason }) => firstRefusals?.get(reason) ?? [])
  return found.length === 0 ? null : Math.min(...found)
}

const judge = (
  { finding, reasons, atLeast, cause, remedy, mended_by }: RefusalRule,
  { sources, now }: Facts,
): Finding | null => {
  const found = sources
    .map(source => ({ ...source, refusals: refusedFor(source, reasons) }))
    .filter(({ refusals }) => sum(refusals) >= atLeast)
    .toSorted((left, right) => sum(right.refusals) - sum(left.refusals))
  const [worst] = found
  if (worst === undefined) return null
  const accepted = worst.lastDay?.accepted_last_day ?? 0
  const descriptions = worst.refusals.map(({ reason, count }) => `${count} ${reason}`).join(', ')
  return {
    finding,
    // A guessing stranger, or one sender among several, stops nothing.
    severity: accepted === 0 ? 'broken' : 'degraded',
    cause,
    evidence: `In 24 hours at ${named(found)}; the first refused ${descriptions}, and accepted ${accepted}.`,
    since: new Date(firstOf(worst, worst.refusals) ?? now.getTime()).toISOString(),
    mended_by,
    next: {
      tool: 'service_support',
      mode: 'source',
      arguments: { id: worst.id },
      reason: 'Shows its requests by the hour, and what each reason means.',
    },
    remedy,
  }
}

/** This many events without a pull request are no coincidence. */
const MIN_EVENTS = 10

const withoutPullRequests: Check = ({ sources, now }) => {
  const found = sources.filter(({ events = {} }) => {
    const all = Object.values(events).reduce((total, count) => total + count, 0)
    return all >= MIN_EVENTS && events.pull_request === undefined
  })
  const [first] = found
  if (first === undefined) return null
  const descriptions = Object.entries(first.events ?? {}).map(([event, count]) => `${count} ${event}`)
  return {
    finding: 'code_host_without_pull_requests',
    severity: 'note',
    cause: 'A code host sends events, and none of pull requests: no handoff of a Solution is proposed by it.',
    since: daysBefore(now, Math.min(first.age_days, 30)),
    mended_by: 'owner',
    evidence: `${named(found)} in 30 days: ${descriptions.join(', ')}, 0 pull_request.`,
    next: {
      tool: 'service_connect',
      mode: 'find',
      arguments: { query: 'pull request' },
      reason: 'Lists the events to choose in the code host’s webhook.',
    },
    remedy: 'Somebody who manages the repository chooses the event for pull requests in its webhook.',
  }
}

export const REQUEST_CHECKS: readonly Check[] = [
  ...RULES.map(
    (rule): Check =>
      facts =>
        judge(rule, facts),
  ),
  withoutPullRequests,
]
