import { Type } from 'typebox'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { identifier, nullable, uuid } from '../parts/fields.ts'
import { locateSignal, SignalStatus } from '../parts/signal-status.ts'
import { SignalStep, stepsOf } from '../parts/signal-steps.ts'

export const supportSignal = readOperation({
  name: 'trace_signal',
  title: 'One signal’s way through the pipeline',
  summary:
    'Answers where a signal is and every step it took, in order, with outcome, reason, model or rule version, attempts and times. Takes the snippet_id a sender was answered, or a reference (SIG-7).',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ id: identifier }),
  output: Type.Object({
    ...SignalStatus.properties,
    signal: nullable(Type.Object({ id: uuid, reference: Type.String() })),
    steps: Type.Array(SignalStep, { description: 'From the activity log, which follows within seconds.' }),
  }),
  run: async (input, context) => {
    const { status, fate } = await locateSignal(input.id, context)
    const { signal, duplicate } = fate
    const followed = duplicate?.id ?? signal?.id ?? input.id.trim().toLowerCase()
    const steps = await stepsOf(context.services.analytics, context.caller.workspaceId, followed)
    return {
      data: { ...status, signal: signal && { id: signal.id, reference: reference('signal', signal.number) }, steps },
    }
  },
})
