import type { FoundNumber, Json } from '../numbers.ts'
import { type Rule, rule } from '../rules.ts'
import { actorOf, actorsOf, livingClaims, type Said, signalsOf, standingBehind, type Truth } from '../truth.ts'

interface Span {
  readonly from: number
  readonly to: number
}

/** The period of the Review that a number is in, or the one before. */
const spanOf = ({ owners, path }: FoundNumber): Span | null => {
  const review: Json = owners.find(({ period_from }) => period_from !== undefined)
  if (review === undefined) return null
  const [from, to] = [Date.parse(review.period_from), Date.parse(review.period_to)]
  const isBefore = /(^|\.)previous_\w+$/.test(path)
  return isBefore ? { from: Date.parse(review.figures.signals.previous_from), to: from } : { from, to }
}

const isWithin = (at: number, { from, to }: Span): boolean => at >= from && at < to

const within = (said: readonly Said[], span: Span | null): readonly Said[] | null =>
  span === null ? null : said.filter(({ occurredAt }) => isWithin(occurredAt, span))

/** What people did is done while the test runs: all of it in a period that ends after it, nothing in one before. */
const doneWithin = (number: FoundNumber, count: number, { madeAt }: Truth): number | null => {
  const span = spanOf(number)
  return span === null ? null : isWithin(madeAt, span) ? count : 0
}

const claimWithin = (truth: Truth, number: FoundNumber): readonly Said[] | null => {
  const claim = truth.claims.get(String(number.owners[0].reference))
  return claim === undefined ? null : within(standingBehind(truth, [claim]), spanOf(number))
}

/** The sum over actors of ln(1 + how much each said). */
const evidenceOf = (said: readonly Said[]): number =>
  [...Map.groupBy(said, actorOf).values()].reduce((sum, ofOne) => sum + Math.log(1 + ofOne.length), 0)

/** How many claims have more evidence in the period of a Review than in the one before, or less. */
const changed = (truth: Truth, number: FoundNumber, sign: 1 | -1): number | null => {
  const period = spanOf(number)
  const review: Json = number.owners.find(({ period_from }) => period_from !== undefined)
  if (period === null) return null
  const before = { from: Date.parse(review.figures.signals.previous_from), to: period.from }
  return livingClaims(truth).filter(claim => {
    const said = standingBehind(truth, [claim])
    const of = (span: Span): number => evidenceOf(said.filter(({ occurredAt }) => isWithin(occurredAt, span)))
    return sign * (of(period) - of(before)) > 1e-9
  }).length
}

const FIGURES = 'figures\\.'
const ofFigures = (path: string): RegExp => new RegExp(`${FIGURES}${path}$`)

/** The figures of Product Reviews, of their period and of the one before. */
export const REVIEW_RULES: readonly Rule[] = [
  rule(
    ofFigures('signals\\.(previous_)?count'),
    (truth, _, number) => within(signalsOf(truth), spanOf(number))?.length ?? null,
  ),
  rule(ofFigures('signals\\.by_classification\\[\\]\\.(previous_)?signals'), (truth, _, number) => {
    const said = signalsOf(truth).filter(one => one.classification === number.owners[0].classification)
    return within(said, spanOf(number))?.length ?? null
  }),
  rule(ofFigures('signals\\.time_series\\[\\]\\.(previous_)?signals'), (truth, _, number) => {
    const [part, { time_series: parts }] = number.owners
    const review = spanOf(number)
    if (review === null) return null
    const next = parts[parts.indexOf(part) + 1]
    const begin = Date.parse(parts[0].from)
    const [from, to] = [Date.parse(part.from) - begin, next === undefined ? Infinity : Date.parse(next.from) - begin]
    const start = number.path.endsWith('previous_signals') ? review.from : begin
    return within(signalsOf(truth), { from: start + from, to: Math.min(review.to, start + to) })?.length ?? null
  }),
  rule(ofFigures('claims\\.(previous_)?new_count'), (truth, _, number) =>
    doneWithin(number, [...truth.claims.values()].filter(({ mergedInto }) => mergedInto === null).length, truth),
  ),
  rule(ofFigures('claims\\.(previous_)?moved'), (truth, _, number) =>
    doneWithin(number, truth.emptiedClaims + truth.followedClaims, truth),
  ),
  rule(ofFigures('claims\\.(previous_)?merged'), (truth, _, number) => doneWithin(number, truth.merges, truth)),
  rule(ofFigures('claims\\.rising_count'), (truth, _, number) => changed(truth, number, 1)),
  rule(ofFigures('claims\\.falling_count'), (truth, _, number) => changed(truth, number, -1)),
  rule(
    ofFigures('claims\\.(rising|falling)\\[\\]\\.(previous_)?signals'),
    (truth, _, number) => claimWithin(truth, number)?.length ?? null,
  ),
  rule(ofFigures('claims\\.(rising|falling)\\[\\]\\.(previous_)?actors'), (truth, _, number) => {
    const said = claimWithin(truth, number)
    return said === null ? null : actorsOf(said)
  }),
  rule(ofFigures('claims\\.(rising|falling)\\[\\]\\.(previous_)?evidence'), (truth, _, number) => {
    const said = claimWithin(truth, number)
    return said === null ? null : evidenceOf(said)
  }),
  rule(ofFigures('solutions\\.(previous_)?changes'), (truth, _, number) =>
    doneWithin(number, truth.solutions.size + truth.moves, truth),
  ),
  rule(ofFigures('solutions\\.by_state\\[\\]\\.(previous_)?solutions'), (truth, _, number) => {
    const { state } = number.owners[0]
    return doneWithin(number, [...truth.solutions.values()].filter(one => one.state === state).length, truth)
  }),
  rule(ofFigures('solutions\\.by_state\\[\\]\\.stuck'), () => 0),
  rule(ofFigures('(previous_)?decisions'), (truth, _, number) => doneWithin(number, truth.decisions, truth)),
  rule(ofFigures('outcomes\\.(previous_)?count'), (truth, _, number) =>
    doneWithin(number, truth.outcomes.length, truth),
  ),
  rule(ofFigures('metric_count'), ({ metricPoints }, _, number) => {
    const span = spanOf(number)
    return span === null ? null : Number(metricPoints.some(({ day }) => isWithin(Date.parse(day), span)))
  }),
  rule(ofFigures('metrics\\[\\]\\.(previous_)?value'), (truth, _, number) => {
    const span = spanOf(number)
    if (span === null) return null
    return truth.metricPoints.findLast(({ day }) => Date.parse(day) < span.to)?.value ?? null
  }),
]
