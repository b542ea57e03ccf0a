import { Type } from 'typebox'
import type { ActivityItem, Figures } from '../../../model/activity/figures.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { nullable } from '../parts/fields.ts'

const FigureOf = Type.Record(Type.String(), nullable(Type.Number()), {
  description: 'Null where there is nothing to measure.',
})

export const Item = Type.Object({
  period: nullable(Type.String({ description: 'Start of the period, in the time zone asked for.' })),
  group: Type.Intersect([
    Type.Record(Type.String(), Type.String({ description: 'Empty where the field does not apply.' })),
    // All others are words of ours.
    Type.Partial(Type.Object({ source: strangersText(), actor: strangersText() })),
  ]),
  named: Type.Optional(
    Type.Record(Type.String(), Type.Object({ reference: nullable(Type.String()), title: strangersText() }), {
      description: 'The claim and the node of group.',
    }),
  ),
  metrics: FigureOf,
  before: Type.Optional(FigureOf),
})

/** A page of an answer. */
export interface ActivityPage extends Figures {
  /** What a reader must know to read the figures; null when the names say it. */
  readonly note: string | null
}

/** A page of rows that are all there already. */
export const pageOf = (
  items: readonly ActivityItem[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
  note: string | null,
): ActivityPage => ({ items: items.slice(offset, offset + limit), count: items.length, rollup: null, note })
