import { repeatsPage } from '../../../model/duplicates/read-repeats.ts'
import { resolveAmong } from '../../../model/references/resolve.ts'
import type { ClaimId, SignalId } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { cursor, identifier, limit, listDepth } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { RepeatShape, toRepeat } from '../parts/signal-shape.ts'

const CHARACTERS = 1000

const Repeat = Type.Object({
  ...RepeatShape.properties,
  original: Type.String({ description: 'The Signal that it repeats.' }),
  similarity: Type.Number({
    description:
      'The embedding model’s own cosine of the two texts, 1 where they are the same. Not on the scale of 0.88: service_support mode pipeline says which cosine that is, skips_at.',
  }),
})
const LINE = ['id', 'text', 'actor_name', 'source', 'occurred_at', 'original', 'taken_out'] as const

export const listRepeats = readOperation({
  name: 'list_repeats',
  title: 'What repeats a Signal, or the Signals of a claim',
  summary:
    'Lists the repeats of a Signal (SIG-7), or of all Signals of a claim (CLM-3), the newest first: each with its own words, who said it, where and when. service_decide mode triage, action not_a_repeat, takes out one that says something else.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    id: Type.With(identifier, { description: 'The Signal or claim. UUID or reference, such as SIG-7 or CLM-3.' }),
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer(),
    items: listOf(Repeat, LINE),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const { kind, id } = await resolveAmong(transaction, ['signal', 'claim'], input.id)
      const list = `repeats of ${id}`
      const position = decodeCursor(list, input.cursor, services.now())
      // The id belongs to the found kind.
      const of = kind === 'signal' ? { signal: id as SignalId } : { claim: id as ClaimId }
      const page = { limit: pageSize(input), offset: position.offset }
      const { count, rows } = await repeatsPage(transaction, of, page)
      const shown = rows.map(row => ({
        ...toRepeat(row, CHARACTERS),
        original: reference('signal', row.original),
        similarity: row.similarity,
      }))
      const { items, note } = listed(input, shown, { line: LINE })
      return { data: { count, items }, note, nextCursor: nextCursor(list, position, items.length, count) }
    }),
})
