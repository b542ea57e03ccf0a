import { Type } from 'typebox'
import { ROADMAP_HORIZONS } from '../../../schemas/domain/vocabulary.ts'
import { nullable, oneOf, uuid } from '../parts/fields.ts'

/** Where a Solution stands in the portfolio, beside the board. */
export const PlacementShape = Type.Object({
  groups: Type.Array(Type.String()),
  roadmap: nullable(Type.Object({ horizon: oneOf(ROADMAP_HORIZONS), position: Type.Integer() })),
  strategy: Type.Array(Type.Object({ id: uuid, layer: Type.String(), title: Type.String() })),
})

const figure = nullable(Type.Number())

/** Figures of an earlier way to prioritize. */
export const RiceShape = Type.Object(
  { reach: figure, impact: figure, confidence: figure, effort: figure },
  { description: 'Legacy figures, for audit; they never rank. Only with depth full.' },
)
