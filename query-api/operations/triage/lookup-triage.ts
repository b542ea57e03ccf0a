import { countSignalsInState, signalsInState } from '../../../model/signals/read-signals.ts'
import { readSharedPassages } from '../../../model/themes/shared-passages.ts'
import { CLASSIFICATIONS, SIGNAL_STATES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { erasingNote } from '../parts/erasing.ts'
import { cursor, limit, listDepth, oneOf } from '../parts/fields.ts'
import { decodeCursor, encodeCursor, listed, listOf, oneNote, pageSize } from '../parts/lists.ts'
import { ownExcerpt, SIGNAL_LINE, SignalShape, toSignal } from '../parts/signal-shape.ts'

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
    classification: Type.Optional(oneOf(CLASSIFICATIONS, { description: 'Only of this classification.' })),
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({ count: Type.Integer(), items: listOf(SignalShape, SIGNAL_LINE) }),
  run: (input, { caller, read, services }) =>
    read(async transaction => {
      const position = decodeCursor('triage', input.cursor, services.now())
      const selection = {
        state: input.state ?? 'triage',
        classifications: input.classification === undefined ? CLASSIFICATIONS : [input.classification],
        now: services.now(),
      }
      const count = await countSignalsInState(transaction, selection)
      const wanted = pageSize(input)
      const rows = await signalsInState(transaction, selection, { below: position.offset, limit: wanted + 1 })
      const shared = await readSharedPassages(transaction, caller.workspaceId)
      const depth = input.depth ?? 'standard'
      const shown = rows.slice(0, wanted).map(row => toSignal(row, depth, ownExcerpt(row, depth, shared)))
      const { items, note } = listed(input, shown, { line: SIGNAL_LINE })
      const erasing = await erasingNote(transaction)
      const last = rows.length > items.length ? rows[items.length - 1] : undefined
      return {
        data: { count, items },
        note: oneNote(note, erasing),
        nextCursor: last === undefined ? null : encodeCursor('triage', { ...position, offset: last.number }),
      }
    }),
})
