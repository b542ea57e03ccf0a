import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { outcomeOf, outcomesPage, solutionOfOutcome } from '../../../model/outcomes/outcomes.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, type Depth, depth, identifier, limit, nullable } from '../parts/fields.ts'
import { listed, listOf, pageSize } from '../parts/listed.ts'
import { OutcomeShape, toOutcome } from '../parts/outcome-shape.ts'

const ONE = {
  summary: { tokens: 80, points: 1 },
  standard: { tokens: 900, points: 20 },
  full: { tokens: Number.POSITIVE_INFINITY, points: 20 },
} as const satisfies Readonly<Record<Depth, object>>

const LISTED = {
  summary: { tokens: 250, points: 0 },
  standard: { tokens: 250, points: 3 },
  full: { tokens: 900, points: 20 },
} as const satisfies Readonly<Record<Depth, object>>

const LINE = ['solution', 'verdict', 'observation', 'updated_at'] as const

/** The Outcome of a Solution, or the one with the id. Throws `not_found`, and says what would record it. */
const findOutcome = async (transaction: Transaction, requestedId: string) => {
  const named = isUuid(requestedId.trim()) ? await solutionOfOutcome(transaction, requestedId.trim()) : undefined
  const solution = await resolveOne(transaction, 'solution', named ?? requestedId)
  const outcome = await outcomeOf(transaction, solution.id)
  if (outcome !== undefined) return outcome
  throw new AssayError(
    'not_found',
    `${solution.reference} has no Outcome. Once it is Done, service_decide mode outcome, solution_id ${solution.reference}, records one.`,
  )
}

export const lookupOutcome = readOperation({
  name: 'lookup_outcome',
  title: 'An Outcome, or the Outcomes',
  summary:
    'With id (the Solution: SOL-12, UUID or exact title; or the Outcome’s UUID): what was expected of a Done Solution, what was observed, the verdict, and the metric points cited. Without: all Outcomes, the last changed first.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ id: Type.Optional(identifier), depth, limit, cursor }),
  output: Type.Object({
    outcome: nullable(OutcomeShape),
    count: Type.Integer(),
    items: listOf(OutcomeShape, LINE),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const chosen = input.depth ?? 'standard'
      if (input.id !== undefined) {
        const outcome = toOutcome(await findOutcome(transaction, input.id), ONE[chosen])
        return { data: { outcome, count: 1, items: [] } }
      }
      const position = decodeCursor('outcomes', input.cursor, services.now())
      const page = { limit: pageSize(input), offset: position.offset }
      const { count, rows } = await outcomesPage(transaction, page)
      const shown = rows.map(row => toOutcome(row, LISTED[chosen]))
      const { items, note } = listed(input, shown, { line: LINE })
      return {
        data: { outcome: null, count, items },
        note,
        nextCursor: nextCursor('outcomes', position, items.length, count),
      }
    }),
})
