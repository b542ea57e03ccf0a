import { Type } from 'typebox'
import { readOperation } from '../define.ts'
import { cursor, depth, identifier, nullable } from '../parts/fields.ts'
import { FULL_TEXT_TOKENS, type SignalRow, SignalShape, toSignal } from '../parts/signal-shape.ts'
import { locateSignal, SignalStatus } from '../parts/signal-status.ts'
import { textPage } from '../parts/text-page.ts'

/** All of a Signal, its text from the cursor on. */
const wholeSignal = (row: SignalRow, input: { readonly cursor?: string }, now: Date) => {
  const signal = toSignal(row, 'full')
  const { nextCursor, ...page } = textPage(row.text, `signal ${row.id} ${row.version}`, {
    cursor: input.cursor,
    now,
    tokens: FULL_TEXT_TOKENS,
    rest: `service_lookup mode signal, id ${signal.reference}, depth full, cursor meta.next_cursor`,
  })
  return { signal: { ...signal, ...page }, nextCursor }
}

export const lookupSignal = readOperation({
  name: 'lookup_signal',
  title: 'A Signal, or where it is on its way',
  summary:
    'Answers one Signal by the snippet_id its sender was given or by reference (SIG-7). A signal still in the pipeline answers with its step, a duplicate with its original, a dead one with the step and the reason.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ id: identifier, depth, cursor }),
  output: Type.Object({ ...SignalStatus.properties, signal: nullable(SignalShape) }),
  run: async (input, context) => {
    const { status, fate } = await locateSignal(input.id, context)
    if (fate.signal === null) return { data: { ...status, signal: null } }
    const { depth = 'standard' } = input
    if (depth !== 'full') return { data: { ...status, signal: toSignal(fate.signal, depth) } }
    const { signal, nextCursor } = wholeSignal(fate.signal, input, context.services.now())
    return { data: { ...status, signal }, nextCursor }
  },
})
