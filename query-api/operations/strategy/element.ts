import { type Static, Type } from 'typebox'
import type { StrategyElement } from '../../../model/strategy/elements.ts'
import type { ElementLinks, LinkedRow } from '../../../model/strategy/links.ts'
import { MAX_CHARACTERS, MAX_REFERENCES } from '../../../schemas/domain/limits.ts'
import { ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { CLAIM_STATES, reference, SOLUTION_STATES, STRATEGY_LAYERS } from '../../../schemas/domain/vocabulary.ts'
import { cut, excerpt, shortened } from '../parts/excerpt.ts'
import { type ActionFields, comment, decisionId, identifier, instant, oneOf, uuid, version } from '../parts/fields.ts'
import { claimIds, summary, title } from '../solutions/solution.ts'

/** Fields that several modes of the portfolio take. */

export const solutionIds = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    minItems: 1,
    maxItems: MAX_REFERENCES,
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

const named = { id: uuid, reference: Type.String() }

/** A vision, objective or bet of the Strategy Stack, with its links. */
export const ElementShape = Type.Object({
  id: uuid,
  layer: oneOf(STRATEGY_LAYERS),
  position: Type.Integer({ description: '1 stands first in its layer.' }),
  title: ownText(),
  text: ownText({ description: 'The summary.' }),
  text_truncation: cut,
  claim_count: Type.Integer({ description: 'Claims linked in all; claims holds the first.' }),
  claims: Type.Array(Type.Object({ ...named, title: untrustedText(), state: oneOf(CLAIM_STATES) })),
  solution_count: Type.Integer({ description: 'Solutions linked in all; solutions holds the first.' }),
  solutions: Type.Array(Type.Object({ ...named, title: ownText(), state: oneOf(SOLUTION_STATES) })),
  updated_at: instant,
  version: Type.Integer({ description: 'Send it with a write, so that nobody else’s change is lost.' }),
})
export type ElementShape = Static<typeof ElementShape>

const LINKED_TITLE_CHARACTERS = 80

const linked = <State>(kind: 'claim' | 'solution', rows: readonly LinkedRow<State>[]) =>
  rows.map(({ id, number, title, state }) => ({
    id,
    reference: reference(kind, number),
    title: shortened(title, LINKED_TITLE_CHARACTERS),
    state,
  }))

/** Shown characters of the title and of the summary. */
export interface ShownElement {
  readonly title: number
  readonly characters: number
}

export const toElement = (
  element: StrategyElement,
  links: ElementLinks | undefined,
  { title: ofTitle, characters }: ShownElement,
): ElementShape => {
  const { title, summary, created_at: _, updated_at, ...rest } = element
  return {
    ...rest,
    title: shortened(title, ofTitle),
    ...excerpt(summary, characters, `service_orient mode strategy, layer ${element.layer}, depth full`),
    claim_count: links?.claim_count ?? 0,
    claims: linked('claim', links?.claims ?? []),
    solution_count: links?.solution_count ?? 0,
    solutions: linked('solution', links?.solutions ?? []),
    updated_at: updated_at.toISOString(),
  }
}
