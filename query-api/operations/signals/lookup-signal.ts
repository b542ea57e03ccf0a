import { Type } from 'typebox'
import { readOperation } from '../define.ts'
import { cursor, depth, identifier, nullable } from '../parts/fields.ts'
import { SignalShape, signalTextPage, toSignal } from '../parts/signal-shape.ts'
import { locateSignal, SignalStatus } from '../parts/signal-status.ts'

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
    const { status, signalOutcome } = await locateSignal(input.id, context)
    if (signalOutcome.signal === null) return { data: { ...status, signal: null } }
    const { depth = 'standard' } = input
    if (depth !== 'full') return { data: { ...status, signal: toSignal(signalOutcome.signal, depth) } }
    const page = signalTextPage(signalOutcome.signal, input.cursor, context.services.now())
    return { data: { ...status, signal: toSignal(signalOutcome.signal, depth, page) }, nextCursor: page.nextCursor }
  },
})
