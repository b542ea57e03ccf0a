import type { Transaction } from '../../infra/postgres/port.ts'
import { type Classification, reference, SOLUTION_STATES, type SolutionState } from '../../schemas/domain/vocabulary.ts'
import { mergesIn, movedClaims, newClaims } from '../changes/claims.ts'
import { madeDecisions } from '../changes/decisions.ts'
import { newSignals } from '../changes/signals.ts'
import { changedOutcomes, movedSolutions } from '../changes/solutions.ts'
import type { Window } from '../changes/window.ts'
import { stateTotals, stuckFirst } from '../solutions/time-in-state.ts'
import { type EvidenceChange, evidenceChanges } from './evidence-change.ts'
import { type MetricFigure, metricFigures } from './metric-change.ts'

interface Named {
  readonly reference: string
  readonly title: string
}

/** What a Product Review is made from, as it is stored with it. Lists hold the first eight, their texts cut. */
export interface ReviewFigures {
  readonly signals: {
    readonly count: number
    readonly count_before: number
    readonly by_classification: readonly { readonly classification: Classification; readonly signals: number }[]
  }
  readonly claims: {
    readonly appeared: number
    readonly appeared_before: number
    readonly moved: number
    readonly merged: number
    readonly rose: readonly (Named & Omit<EvidenceChange, 'number' | 'title'>)[]
    readonly fell: readonly (Named & Omit<EvidenceChange, 'number' | 'title'>)[]
  }
  readonly solutions: {
    readonly changes: number
    readonly moves: readonly (Named & { readonly from: SolutionState | null; readonly to: SolutionState })[]
    readonly by_state: readonly { readonly state: SolutionState; readonly solutions: number; readonly stuck: number }[]
    readonly stuck: readonly (Named & { readonly state: SolutionState; readonly days_in_state: number })[]
  }
  readonly decisions: number
  readonly outcomes: {
    readonly count: number
    readonly items: readonly (Named & { readonly verdict: string; readonly observation: string })[]
  }
  readonly metrics: readonly MetricFigure[]
}

// So that a report of texts in any script stays within one answer.
const LISTED = 8
const TITLE_CHARACTERS = 70
const NAME_CHARACTERS = 50
const OBSERVATION_CHARACTERS = 100

const cut = (text: string, characters: number): string => Array.from(text).slice(0, characters).join('')

const named = (kind: 'claim' | 'solution', { number, title }: { readonly number: number; readonly title: string }) => ({
  reference: reference(kind, number),
  title: cut(title, TITLE_CHARACTERS),
})

const compared = ({ number, title, ...figures }: EvidenceChange) => ({
  ...named('claim', { number, title }),
  ...figures,
})

/** The period of the same length before. */
const periodBefore = ({ from, to }: Window): Window => ({
  from: new Date(2 * from.getTime() - to.getTime()),
  to: from,
})

const total = (rows: readonly { readonly signals: number }[]): number =>
  rows.reduce((sum, { signals }) => sum + signals, 0)

/** Gathers the figures of a period, as they stood at its end. */
export const gatherFigures = async (transaction: Transaction, period: Window): Promise<ReviewFigures> => {
  const before = periodBefore(period)
  const signals = await newSignals(transaction, period)
  const evidence = await evidenceChanges(transaction, period, before, LISTED)
  const moves = await movedSolutions(transaction, period, LISTED)
  const totals = await stateTotals(transaction, period.to)
  const first = await stuckFirst(transaction, period.to, { states: SOLUTION_STATES, limit: LISTED, offset: 0 })
  const outcomes = await changedOutcomes(transaction, period, LISTED)
  return {
    signals: {
      count: total(signals),
      count_before: total(await newSignals(transaction, before)),
      by_classification: signals,
    },
    claims: {
      appeared: (await newClaims(transaction, period, 1)).count,
      appeared_before: (await newClaims(transaction, before, 1)).count,
      moved: (await movedClaims(transaction, period, 1)).count,
      merged: (await mergesIn(transaction, period, 1)).count,
      rose: evidence.rose.map(compared),
      fell: evidence.fell.map(compared),
    },
    solutions: {
      changes: moves.count,
      moves: moves.rows.map(row => ({ ...named('solution', row), from: row.from_state, to: row.to_state })),
      by_state: SOLUTION_STATES.flatMap(state => totals.filter(row => row.state === state)),
      stuck: first
        .filter(({ stuck }) => stuck)
        .map(row => ({ ...named('solution', row), state: row.state, days_in_state: Math.round(row.days) })),
    },
    decisions: (await madeDecisions(transaction, period, 1)).count,
    outcomes: {
      count: outcomes.count,
      items: outcomes.rows.map(row => ({
        ...named('solution', row),
        verdict: row.verdict,
        observation: cut(row.observation, OBSERVATION_CHARACTERS),
      })),
    },
    metrics: (await metricFigures(transaction, period, LISTED)).map(metric => ({
      ...metric,
      name: cut(metric.name, NAME_CHARACTERS),
      node: cut(metric.node, NAME_CHARACTERS),
    })),
  }
}
