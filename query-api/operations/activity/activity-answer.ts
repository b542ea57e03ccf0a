import { Type } from 'typebox'
import { nullable } from '../parts/fields.ts'

const Figures = Type.Record(Type.String(), nullable(Type.Number()), {
  description: 'Null where there is nothing to measure.',
})

export const Item = Type.Object({
  period: nullable(Type.String({ description: 'Start of the period, in the time zone asked for.' })),
  group: Type.Record(Type.String(), Type.String({ description: 'Empty where the field does not apply.' })),
  metrics: Figures,
  before: Type.Optional(Figures),
})

/** One row of any answer of `analyze_activity`. */
export interface ActivityItem {
  readonly period: string | null
  readonly group: Readonly<Record<string, string>>
  readonly metrics: Readonly<Record<string, number | null>>
  readonly before?: Readonly<Record<string, number | null>>
}

/** A page of an answer. */
export interface ActivityPage {
  readonly items: readonly ActivityItem[]
  /** Rows in all. */
  readonly count: number
  /** Where the figures are from; null for single events. */
  readonly rollup: 'hour' | 'day' | null
  /** What a reader must know to read the figures; null when the names say it. */
  readonly note: string | null
}

/** A page of rows that are all there already. */
export const pageOf = (
  items: readonly ActivityItem[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
  note: string | null,
): ActivityPage => ({ items: items.slice(offset, offset + limit), count: items.length, rollup: null, note })
