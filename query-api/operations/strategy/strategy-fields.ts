import { type Static, Type } from 'typebox'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { STRATEGY_LAYERS } from '../../../schemas/domain/vocabulary.ts'
import type { ActionFields } from '../parts/action-fields.ts'
import { comment, decisionId, identifier, oneOf, version } from '../parts/fields.ts'
import { claimIds, summary, title } from '../solutions/solution-fields.ts'

/** Fields that several modes of the portfolio take. */

export const solutionIds = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    minItems: 1,
    maxItems: 50,
    description: 'Solutions. UUIDs, references or exact titles.',
  }),
)

export const position = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100_000, description: '1 is first; default last.' }),
)

const ACTIONS = ['add', 'update', 'move', 'remove', 'link', 'unlink'] as const
type Action = (typeof ACTIONS)[number]

const GROUNDS = ['comment', 'decision_id']
const CHANGE = [...GROUNDS, 'version']
const LINKED = ['claim_ids', 'solution_ids']

export const TAKES: Readonly<Record<Action, ActionFields>> = {
  add: { needs: ['layer', 'title'], may: ['summary', 'position', ...LINKED, ...GROUNDS] },
  update: { needs: ['strategy_id'], may: ['title', 'summary', ...CHANGE] },
  move: { needs: ['strategy_id'], may: ['layer', 'position', ...CHANGE] },
  remove: { needs: ['strategy_id'], may: CHANGE },
  link: { needs: ['strategy_id'], may: [...LINKED, ...CHANGE] },
  unlink: { needs: ['strategy_id'], may: [...LINKED, ...CHANGE] },
}

export const strategyInput = Type.Object({
  action: oneOf(ACTIONS, { description: 'add, update, move, remove, link, unlink.' }),
  strategy_id: Type.Optional(Type.With(identifier, { description: 'The element. A UUID or exact title.' })),
  layer: Type.Optional(oneOf(STRATEGY_LAYERS, { description: 'Its layer. That is of the Strategy Stack.' })),
  title: Type.Optional(title),
  summary: Type.Optional(Type.With(summary, { maxLength: MAX_CHARACTERS.elementSummary })),
  position,
  claim_ids: claimIds('These claims. Those to link or unlink.'),
  solution_ids: solutionIds,
  comment,
  decision_id: decisionId,
  version,
})
export type StrategyInput = Static<typeof strategyInput>
