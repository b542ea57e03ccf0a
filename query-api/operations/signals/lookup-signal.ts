import { readOperation, Type } from '../define.ts'
import { cursor, type Depth, depth, identifier, nullable } from '../parts/fields.ts'
import {
  RepeatFields,
  repeatsOf,
  repeatTextPage,
  SignalShape,
  shownMetadata,
  signalTextPage,
  toSignal,
} from '../parts/signal-shape.ts'
import { locateSignal, SignalStatus } from '../parts/signal-status.ts'

/** How many repeats of the Signal are shown, and how much each says. */
const REPEATS: Readonly<Record<Depth, { readonly most: number; readonly characters: number }>> = {
  summary: { most: 1, characters: 60 },
  standard: { most: 5, characters: 280 },
  full: { most: 5, characters: 280 },
}

export const lookupSignal = readOperation({
  name: 'lookup_signal',
  title: 'A Signal, or where it is on its way',
  summary:
    'Answers one Signal by the snippet_id its sender was given or by reference (SIG-7), with what repeats it. A signal still in the pipeline answers with its step, a repeat with its own words and its original, a dead one with the step and the reason.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ id: identifier, depth, cursor }),
  output: Type.Object({
    ...SignalStatus.properties,
    signal: nullable(Type.Object({ ...SignalShape.properties, ...RepeatFields })),
  }),
  run: async (input, context) => {
    const { status, signalOutcome } = await locateSignal(input.id, context)
    const { signal: row, duplicate } = signalOutcome
    if (row === null) return { data: { ...status, signal: null } }
    // Only the whole text has a cursor.
    const depth = input.cursor === undefined ? (input.depth ?? 'standard') : 'full'
    const room = duplicate === null ? REPEATS[depth] : REPEATS.summary
    const repeats = (await context.read(transaction => repeatsOf(transaction, [row], room)))(row.id)
    const shown = { ...toSignal(row, duplicate !== null && depth === 'full' ? 'standard' : depth), ...repeats }
    if (depth !== 'full') return { data: { ...status, signal: shown } }
    const now = context.services.now()
    if (duplicate !== null && status.duplicate !== null) {
      const page = repeatTextPage(duplicate, input.cursor, now)
      const said = page === undefined ? {} : { text: page.text, text_truncation: page.text_truncation }
      const shownDuplicate = { ...status.duplicate, ...said, metadata: shownMetadata(duplicate.metadata ?? {}) }
      return { data: { ...status, duplicate: shownDuplicate, signal: shown }, nextCursor: page?.nextCursor ?? null }
    }
    const page = signalTextPage(row, input.cursor, now)
    return { data: { ...status, signal: { ...toSignal(row, depth, page), ...repeats } }, nextCursor: page.nextCursor }
  },
})
