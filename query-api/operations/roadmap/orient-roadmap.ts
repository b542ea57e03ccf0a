import { type DecisionOnObject, lastChangesOf } from '../../../model/decisions/read-decisions.ts'
import { type RoadmapRow, roadmapPage } from '../../../model/roadmap/roadmap.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { ROADMAP_HORIZONS, reference, SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { DecisionShape, toDecision } from '../decisions/decision.ts'
import { readOperation, type Transaction, Type } from '../define.ts'
import { cut, excerpt, shortened } from '../parts/excerpt.ts'
import { cursor, type Depth, limit, listDepth, oneOf, uuid } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'

/** Shown characters of each title and summary. */
interface Shown {
  readonly title: number
  readonly characters: number
}

const SHOWN: Readonly<Record<Depth, Shown>> = {
  summary: { title: 300, characters: 0 },
  standard: { title: 300, characters: 280 },
  full: { title: 300, characters: 4000 },
}

const RoadmapItem = Type.Object({
  id: uuid,
  reference: Type.String(),
  horizon: oneOf(ROADMAP_HORIZONS),
  position: Type.Integer({ description: '1 stands first in its horizon.' }),
  title: ownText(),
  state: oneOf(SOLUTION_STATES),
  text: ownText({ description: 'The summary.' }),
  text_truncation: cut,
  version: Type.Integer(),
  decision: Type.Optional(
    Type.Union([DecisionShape, Type.Null()], { description: 'By which it stands there. Only with depth full.' }),
  ),
})

const LINE = ['reference', 'horizon', 'title', 'state'] as const

const STATEMENT_CHARACTERS = 400

const toItem = ({ number, summary, title, ...row }: RoadmapRow, { characters, title: ofTitle }: Shown) => {
  const name = reference('solution', number)
  return {
    ...row,
    reference: name,
    title: shortened(title, ofTitle),
    ...excerpt(summary, characters, `service_lookup mode solution, id ${name}, depth full`),
  }
}

/** The Decision behind each Solution's place. */
const placements = async (transaction: Transaction, rows: readonly RoadmapRow[]) => {
  const ids = rows.map(({ id }) => id)
  const decisions = await lastChangesOf(transaction, 'solution', ids, 'roadmap')
  const shown = (decision: DecisionOnObject | undefined) =>
    decision === undefined ? null : toDecision(decision, STATEMENT_CHARACTERS)
  return ({ id }: RoadmapRow) => ({ decision: shown(decisions.get(id)) })
}

export const orientRoadmap = readOperation({
  name: 'orient_roadmap',
  title: 'The roadmap',
  summary:
    'Answers the roadmap: the Solutions in now, next and later, in the order that people decided. service_decide mode roadmap places and removes them.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    horizon: Type.Optional(oneOf(ROADMAP_HORIZONS, { description: 'Only this horizon.' })),
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer(),
    horizons: Type.Array(Type.Object({ horizon: oneOf(ROADMAP_HORIZONS), solutions: Type.Integer() })),
    items: listOf(RoadmapItem, LINE),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('roadmap', input.cursor, services.now())
      const shown = SHOWN[input.depth ?? 'standard']
      const { counts, solutions } = await roadmapPage(transaction, {
        horizon: input.horizon,
        limit: pageSize(input),
        offset: position.offset,
      })
      const decided = input.depth === 'full' ? await placements(transaction, solutions) : null
      const all = solutions.map(row => ({ ...toItem(row, shown), ...decided?.(row) }))
      const { items, note } = listed(input, all, { line: LINE })
      const count = counts.reduce((sum, { solutions: of }) => sum + of, 0)
      return {
        data: { count, horizons: counts, items },
        note,
        nextCursor: nextCursor('roadmap', position, items.length, count),
      }
    }),
})
