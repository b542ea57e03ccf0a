import { Type } from 'typebox'
import { SELECT_SIGNALS, type SignalRow } from '../../../model/signals/read-signals.ts'
import { CLASSIFICATIONS, SIGNAL_STATES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, encodeCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, depth, limit, oneOf } from '../parts/fields.ts'
import { SignalShape, toSignal } from '../parts/signal-shape.ts'
import { ANSWER_TOKENS, SUMMARY_TOKENS, takeWithinBudget } from '../parts/token-budget.ts'

const SELECTED = `where state = $1 and classification = any ($2)`
/** What was put off is not in Triage. */
const AWAKE = `signals.id not in (select signal_id from sleeping_signals($5))`

/** Goes on below a number, not past a count: Signals that are decided on meanwhile leave the list, and nothing is passed over. */
const PAGE = `${SELECT_SIGNALS} ${SELECTED} and ($3 = 0 or number < $3) and ${AWAKE} order by number desc limit $4`

const COUNT = `
  select (coalesce(sum(signals), 0)
    - (select count(*) from sleeping_signals($3) where $1 = 'triage' and classification = any ($2)))::integer as count
  from signal_counts ${SELECTED}`

export const lookupTriage = readOperation({
  name: 'lookup_triage',
  title: 'Signals that wait in Triage',
  summary:
    'Lists Signals in one state (default triage), the newest first, optionally of one classification. Decide on them with service_decide mode triage.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    state: Type.Optional(oneOf(SIGNAL_STATES, { description: 'Default triage.' })),
    classification: Type.Optional(oneOf(CLASSIFICATIONS, { description: 'Only Signals of this classification.' })),
    depth,
    limit,
    cursor,
  }),
  output: Type.Object({ count: Type.Integer(), items: Type.Array(SignalShape) }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('triage', input.cursor, services.now())
      const selection = [
        input.state ?? 'triage',
        input.classification === undefined ? CLASSIFICATIONS : [input.classification],
      ]
      const [counted] = await transaction.query<{ count: number }>(COUNT, [...selection, services.now()])
      const wanted = input.limit ?? DEFAULT_LIMIT
      const rows = await transaction.query<SignalRow>(PAGE, [...selection, position.offset, wanted + 1, services.now()])
      const chosen = input.depth ?? 'standard'
      const items = takeWithinBudget(
        rows.slice(0, wanted).map(row => toSignal(row, chosen)),
        chosen === 'summary' ? SUMMARY_TOKENS : ANSWER_TOKENS,
      )
      const last = rows.length > items.length ? rows[items.length - 1] : undefined
      return {
        data: { count: counted?.count ?? 0, items },
        nextCursor: last === undefined ? null : encodeCursor('triage', { ...position, offset: last.number }),
      }
    }),
})
