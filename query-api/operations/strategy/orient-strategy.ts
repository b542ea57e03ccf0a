import { stackPage } from '../../../model/strategy/elements.ts'
import { linksOf } from '../../../model/strategy/links.ts'
import { STRATEGY_LAYERS } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { cursor, type Depth, limit, listDepth, oneOf } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { ElementShape, type ShownElement, toElement } from './element.ts'

/** Shown links of each element, and characters of its title and summary. */
const SHOWN: Readonly<Record<Depth, { readonly links: number } & ShownElement>> = {
  summary: { links: 3, title: 300, characters: 280 },
  standard: { links: 3, title: 300, characters: 280 },
  full: { links: 20, title: 300, characters: Number.POSITIVE_INFINITY },
}

const LINE = [
  'id',
  'layer',
  'title',
  'text',
  'claims',
  'claim_count',
  'solutions',
  'solution_count',
  'version',
] as const

export const orientStrategy = readOperation({
  name: 'orient_strategy',
  title: 'The Strategy Stack',
  summary:
    'Answers the Strategy Stack: its layers (vision, objective, bet) in order, each element with the claims and Solutions linked to it. Weigh what you propose against it. service_decide mode strategy changes it.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    layer: Type.Optional(oneOf(STRATEGY_LAYERS, { description: 'Only this layer.' })),
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer(),
    layers: Type.Array(Type.Object({ layer: oneOf(STRATEGY_LAYERS), elements: Type.Integer() })),
    items: listOf(ElementShape, LINE),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('strategy', input.cursor, services.now())
      const shown = SHOWN[input.depth ?? 'standard']
      const { counts, elements } = await stackPage(transaction, {
        layer: input.layer,
        limit: pageSize(input),
        offset: position.offset,
      })
      const links = await linksOf(
        transaction,
        elements.map(({ id }) => id),
        shown.links,
      )
      const all = elements.map(element => toElement(element, links.get(element.id), shown))
      const { items, note } = listed(input, all, { line: LINE })
      const count = counts.reduce((sum, { elements: of }) => sum + of, 0)
      return {
        data: { count, layers: counts, items },
        note,
        nextCursor: nextCursor('strategy', position, items.length, count),
      }
    }),
})
