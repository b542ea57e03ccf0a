import { type OutcomeRow, outcomeOf, outcomesPage, solutionOfOutcome } from '../../../model/outcomes/outcomes.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { OUTCOME_VERDICTS, reference } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, readOperation, type Static, type Transaction, Type } from '../define.ts'
import { cut, type Excerpt, excerptWithin } from '../parts/excerpt.ts'
import { cursor, type Depth, identifier, instant, limit, listDepth, nullable, oneOf, uuid } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { authorFields } from '../parts/people.ts'

export const OutcomeShape = Type.Object({
  id: uuid,
  solution: Type.Object({ id: uuid, reference: Type.String(), title: ownText() }),
  verdict: oneOf(OUTCOME_VERDICTS),
  expectation: ownText(),
  expectation_truncation: cut,
  observation: ownText(),
  observation_truncation: cut,
  cited: Type.Integer({ description: 'Metric points cited in all; a short answer shows fewer.' }),
  points: Type.Array(
    Type.Object({
      metric_id: uuid,
      metric: ownText(),
      value: Type.Number({ description: 'As it was when it was cited.' }),
      occurred_at: instant,
    }),
  ),
  decision: Type.String(),
  ...authorFields,
  version: Type.Integer({ description: 'Send it to revise the Outcome.' }),
  recorded_at: instant,
  updated_at: instant,
})
export type OutcomeShape = Static<typeof OutcomeShape>

interface Room {
  /** Tokens of each text. */
  readonly tokens: number
  readonly points: number
}

const WHOLE: Room = { tokens: Number.POSITIVE_INFINITY, points: Number.POSITIVE_INFINITY }

export const toOutcome = (row: OutcomeRow, { tokens, points: most }: Room = WHOLE): OutcomeShape => {
  const { solution, expectation, observation, points, decision, recorded_at, updated_at, ...rest } = row
  const name = reference('solution', solution.number)
  const shown = (text: string): Excerpt =>
    excerptWithin(text, tokens, `service_lookup mode outcome, id ${name}, depth full`)
  const [expected, observed] = [shown(expectation), shown(observation)]
  return {
    ...rest,
    solution: { id: solution.id, reference: name, title: shown(solution.title).text },
    expectation: expected.text,
    expectation_truncation: expected.text_truncation,
    observation: observed.text,
    observation_truncation: observed.text_truncation,
    cited: points.length,
    points: points.slice(0, most).map(point => ({ ...point, occurred_at: new Date(point.occurred_at).toISOString() })),
    decision: reference('decision', decision),
    recorded_at: recorded_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

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

const LINE = ['solution', 'verdict', 'observation', 'cited', 'decision', 'updated_at'] as const

/** The Outcome of a Solution, or the one with the id. Throws `not_found` with the call that would record it. */
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
  input: Type.Object({ id: Type.Optional(identifier), depth: listDepth, limit, cursor }),
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
