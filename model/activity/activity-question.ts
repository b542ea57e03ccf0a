import type { Clock } from '../signals/happened.ts'
import type { Field, FilterOperator, Metric, TimeRange } from './activity-vocabulary.ts'
import type { PreviousPeriod } from './previous-period.ts'
import type { Places } from './signal-places.ts'

export interface Filter {
  readonly field: Field
  readonly op: FilterOperator
  readonly values: readonly string[]
}

/** Which figures, of which events, apart by what: everything but the page. */
export interface ActivityQuestion extends TimeRange {
  /** Which time of an event is meant: when it happened, or for a signal's when it was received. */
  readonly clock: Clock
  readonly metrics: readonly Metric[]
  readonly groupBy: readonly Field[]
  readonly filters: readonly Filter[]
  /** The claims and nodes of now, of fields that are asked about; else those of the way in. */
  readonly places: Places
  readonly order: { readonly by: Metric | 'period'; readonly direction: 'asc' | 'desc' }
  /** The period that is compared with; null when none is. */
  readonly before: PreviousPeriod | null
}

/** The first instant that the question is about. */
export const startOf = ({ from, before }: ActivityQuestion): Date => before?.from ?? from
