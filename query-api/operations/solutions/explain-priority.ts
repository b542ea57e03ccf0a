import { readPriorityTerms } from '../../../model/board/explain.ts'
import { boardRow } from '../../../model/board/order.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { reference, SIGNAL_ORIGINS } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Static, Type, throwDeleted } from '../define.ts'
import { cursor, instant, limit, listDepth, nullable, oneOf } from '../parts/fields.ts'
import { decodeCursor, lineOf, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { solutionId } from './solution.ts'

const Share = Type.Object({
  signal: Type.String(),
  signal_origin: oneOf(SIGNAL_ORIGINS),
  signal_count: Type.Integer({ description: 'How often this actor said it.' }),
  weight: Type.Number(),
  share: Type.Number({ description: '0 to 1, of the whole evidence_priority.' }),
})

const Term = Type.Object({
  actor_name: nullable(untrustedText()),
  source: nullable(untrustedText()),
  weight: Type.Number({ description: 'Sum of the weights of what the actor said, as of at.' }),
  term: Type.Number({ description: 'ln(1 + weight): its part of evidence_priority.' }),
  share: Type.Number({ description: '0 to 1, of the whole evidence_priority.' }),
  signals: Type.Array(Share, { description: 'The heaviest ten, of the newest 500 behind the Solution.' }),
})

const LINE = ['actor_name', 'source', 'share', 'signals'] as const

/** An actor as a line, with the references of their signals. */
const toLine = (term: Static<typeof Term>): object =>
  lineOf({ ...term, signals: term.signals.map(({ signal }) => signal) }, LINE)

export const explainPriority = readOperation({
  name: 'explain_priority',
  title: 'Why a Solution stands where it does, whole',
  summary:
    'Explains the place of a Solution on the board: rank, boost, evidence_priority, and page by page every actor behind it with its term and share, the heaviest first. Pages go on as of the moment of the first.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ solution_id: solutionId, depth: listDepth, limit, cursor }),
  output: Type.Object({
    reference: Type.String(),
    title: ownText(),
    at: Type.With(instant, { description: 'The moment that weights are as of.' }),
    manual_rank: nullable(Type.Integer()),
    priority_boost: Type.Number(),
    evidence_priority: Type.Number(),
    score: Type.Number(),
    signals: Type.Integer({ description: 'Signals and their repeats.' }),
    count: Type.Integer({ description: 'Actors in all.' }),
    items: listOf(Term, LINE),
  }),
  run: (input, { read, services, caller }) =>
    read(async transaction => {
      const { id } = await resolveOne(transaction, 'solution', input.solution_id)
      const list = `explain_priority ${id}`
      const position = decodeCursor(list, input.cursor, services.now())
      const row = (await boardRow(transaction, position.at, id)) ?? throwDeleted('Solution')
      const wanted = pageSize(input)
      const { terms } = await readPriorityTerms(transaction, position.at, id, wanted, position.offset)
      const shown = terms.map(term => ({
        ...term,
        signals: term.signals.map(({ signal_number, ...share }) => ({
          signal: reference('signal', signal_number),
          ...share,
        })),
      }))
      const { items, note } = listed(input, shown, { line: toLine, isWhole: caller.via.kind === 'app' })
      const { number, title, manual_rank, priority_boost, evidence_priority, score, signals, actors } = row
      const at = position.at.toISOString()
      const placed = { manual_rank, priority_boost, evidence_priority, score, signals }
      return {
        data: { reference: reference('solution', number), title, at, ...placed, count: actors, items },
        note,
        nextCursor: nextCursor(list, position, items.length, actors),
      }
    }),
})
