import type { Transaction } from '../../infra/postgres/port.ts'
import { CLASSIFICATIONS, reference, SOLUTION_STATES } from '../../schemas/domain/vocabulary.ts'
import { mergesIn, movedClaims, newClaims, newSignals } from '../changes/evidence.ts'
import { changedOutcomes, madeDecisions, movedSolutions } from '../changes/solutions.ts'
import type { Window } from '../changes/window.ts'
import { type RepeatRow, repeatsInTime } from '../duplicates/read-repeats.ts'
import { stateTotals, stuckFirst } from '../solutions/states.ts'
import { type EvidenceChange, evidenceChanges, metricFigures, signalsOverTime } from './comparisons.ts'
import type { ReviewFigures } from './review-figures.ts'

// Limits that keep a report of texts in any script within one answer.
const LISTED = 8
const TITLE_CHARACTERS = 70
const NAME_CHARACTERS = 50
const OBSERVATION_CHARACTERS = 100
const REPEATS_OF_A_CLAIM = 2
const REPEAT_CHARACTERS = 80
const LINK_CHARACTERS = 120

/** Cuts a text to `characters`, at the end of a word, with three dots. */
const cut = (text: string, characters: number): string => {
  const all = Array.from(text)
  if (all.length <= characters) return text
  const kept = all.slice(0, characters - 1).join('')
  return `${kept.replace(/(?<!\s)\s+\S{0,20}$/, '')}…`
}

const named = (kind: 'claim' | 'solution', { number, title }: { readonly number: number; readonly title: string }) => ({
  reference: reference(kind, number),
  title: cut(title, TITLE_CHARACTERS),
})

const compared = ({ number, title, ...figures }: EvidenceChange) => ({
  ...named('claim', { number, title }),
  ...figures,
})

const repeated = ({ original, actor_name, text, source_url, occurred_at }: RepeatRow) => ({
  signal: reference('signal', original),
  actor_name: actor_name && cut(actor_name, NAME_CHARACTERS),
  text: text && cut(text, REPEAT_CHARACTERS),
  source_url: source_url && cut(source_url, LINK_CHARACTERS),
  occurred_at: occurred_at.toISOString(),
})

/** A period in days of an IANA time zone. The compared period goes from `previous_from` to its start. */
export interface ReviewPeriod extends Window {
  readonly previous_from: Date
  readonly timeZone: string
}

const previousPeriod = ({ from, previous_from }: ReviewPeriod): Window => ({ from: previous_from, to: from })

const total = (rows: readonly { readonly signals: number }[]): number =>
  rows.reduce((sum, { signals }) => sum + signals, 0)

type Part<Name extends keyof ReviewFigures> = (
  transaction: Transaction,
  period: Window,
  before: Window,
) => Promise<Pick<ReviewFigures, Name>>

const signals: Part<'signals'> = async (transaction, period, before) => {
  const [current, earlier] = [await newSignals(transaction, period), await newSignals(transaction, before)]
  const of = (rows: typeof current, classification: string) =>
    total(rows.filter(row => row.classification === classification))
  return {
    signals: {
      clock: 'occurred',
      previous_from: before.from.toISOString(),
      count: total(current),
      previous_count: total(earlier),
      by_classification: CLASSIFICATIONS.map(classification => ({
        classification,
        signals: of(current, classification),
        previous_signals: of(earlier, classification),
      })).filter(row => row.signals + row.previous_signals > 0),
      time_series: await signalsOverTime(transaction, period, before),
    },
  }
}

const claims: Part<'claims'> = async (transaction, period, before) => {
  const counts = async (window: Window) => ({
    new_count: (await newClaims(transaction, window, 1)).count,
    moved: (await movedClaims(transaction, window, 1)).count,
    merged: (await mergesIn(transaction, window, 1)).count,
  })
  const [now, earlier] = [await counts(period), await counts(before)]
  const { rose, fell } = await evidenceChanges(transaction, period, before, LISTED)
  const risen = rose.first.map(({ number }) => number)
  const repeats = await repeatsInTime(transaction, risen, period, REPEATS_OF_A_CLAIM)
  return {
    claims: {
      ...now,
      previous_new_count: earlier.new_count,
      previous_moved: earlier.moved,
      previous_merged: earlier.merged,
      rising_count: rose.count,
      falling_count: fell.count,
      rising: rose.first.map(claim => ({
        ...compared(claim),
        repeats: (repeats.get(claim.number) ?? []).map(repeated),
      })),
      falling: fell.first.map(compared),
    },
  }
}

const solutions: Part<'solutions'> = async (transaction, period, before) => {
  const moves = await movedSolutions(transaction, period, LISTED)
  const [at, earlier] = [await stateTotals(transaction, period.to), await stateTotals(transaction, period.from)]
  const first = await stuckFirst(transaction, period.to, { states: SOLUTION_STATES, limit: LISTED, offset: 0 })
  return {
    solutions: {
      changes: moves.count,
      previous_changes: (await movedSolutions(transaction, before, 1)).count,
      transitions: moves.rows.map(row => ({ ...named('solution', row), from: row.from_state, to: row.to_state })),
      by_state: SOLUTION_STATES.map(state => ({
        state,
        solutions: at.find(row => row.state === state)?.solutions ?? 0,
        stuck: at.find(row => row.state === state)?.stuck ?? 0,
        previous_solutions: earlier.find(row => row.state === state)?.solutions ?? 0,
      })).filter(row => row.solutions + row.previous_solutions > 0),
      stuck: first
        .filter(({ stuck }) => stuck)
        .map(row => ({ ...named('solution', row), state: row.state, days_in_state: Math.round(row.days) })),
    },
  }
}

const decisions: Part<'decisions' | 'previous_decisions'> = async (transaction, period, before) => ({
  decisions: (await madeDecisions(transaction, period, 1)).count,
  previous_decisions: (await madeDecisions(transaction, before, 1)).count,
})

const outcomes: Part<'outcomes'> = async (transaction, period, before) => {
  const { count, rows } = await changedOutcomes(transaction, period, LISTED)
  return {
    outcomes: {
      count,
      previous_count: (await changedOutcomes(transaction, before, 1)).count,
      items: rows.map(row => ({
        ...named('solution', row),
        verdict: row.verdict,
        observation: cut(row.observation, OBSERVATION_CHARACTERS),
      })),
    },
  }
}

const metrics: Part<'metrics' | 'metric_count'> = async (transaction, period) => {
  const figures = await metricFigures(transaction, period, LISTED)
  return {
    ...figures,
    metrics: figures.metrics.map(metric => ({
      ...metric,
      name: cut(metric.name, NAME_CHARACTERS),
      node: cut(metric.node, NAME_CHARACTERS),
    })),
  }
}

const PARTS = [signals, claims, solutions, decisions, outcomes, metrics] as const

/** Number of parts in which figures are gathered. */
export const FIGURE_PARTS = PARTS.length

/** Gathers one part of a period's figures, counted from 0, as of its end. */
export const gatherPart = async (
  transaction: Transaction,
  period: ReviewPeriod,
  part: number,
): Promise<Partial<ReviewFigures>> => (await PARTS[part]?.(transaction, period, previousPeriod(period))) ?? {}

/** Gathers the figures of a period, as of its end. */
export const gatherFigures = async (transaction: Transaction, period: ReviewPeriod): Promise<ReviewFigures> => {
  const before = previousPeriod(period)
  return {
    ...(await signals(transaction, period, before)),
    ...(await claims(transaction, period, before)),
    ...(await solutions(transaction, period, before)),
    ...(await decisions(transaction, period, before)),
    ...(await outcomes(transaction, period, before)),
    ...(await metrics(transaction, period, before)),
  }
}
