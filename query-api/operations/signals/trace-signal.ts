import { reference } from '../../../schemas/domain/vocabulary.ts'
import { DeadLetter, toDeadLetter } from '../dead-letters/dead-letter.ts'
import { readOperation, Type } from '../define.ts'
import { identifier, nullable, uuid } from '../parts/fields.ts'
import { locateSignal, SignalStatus } from '../parts/signal-status.ts'
import { loadTrace, Receipt, SignalStep } from '../parts/signal-trace.ts'

export const traceSignal = readOperation({
  name: 'trace_signal',
  title: 'One signal’s way through the pipeline',
  summary:
    'Answers where a signal is and how it came there: its receipt, every step it took in the order of time, with outcome, reason, model or rule version, duration, attempt and replay, and its dead letters. Takes the snippet_id a sender was answered, or a reference (SIG-7).',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ id: identifier }),
  output: Type.Object({
    ...SignalStatus.properties,
    signal: nullable(Type.Object({ id: uuid, reference: Type.String() })),
    receipt: nullable(Receipt),
    steps: Type.Array(SignalStep, { description: 'From the activity log, which follows within seconds.' }),
    total_ms: nullable(Type.Number({ description: 'From the receipt to the end of the last step so far.' })),
    retries: Type.Integer({ description: 'How often a step was tried again.' }),
    replays: Type.Integer({ description: 'How often it was sent through again after it had died.' }),
    dead_letters: Type.Array(DeadLetter, {
      description: 'One for each step that it died at, also when it went on since.',
    }),
  }),
  run: async (input, context) => {
    const { status, signalOutcome } = await locateSignal(input.id, context)
    const { signal, duplicate, deadLetters } = signalOutcome
    const followed = {
      id: duplicate?.id ?? signal?.id ?? input.id.trim().toLowerCase(),
      receivedAt: (duplicate ?? signal)?.received_at,
    }
    const { receipt, steps } = await loadTrace(context.services.analytics, context.caller.workspaceId, followed)
    // A step's reason is hidden like the sealed letter's.
    const sealed = new Set(deadLetters.filter(deadLetter => deadLetter.sealed).map(({ step }) => step))
    return {
      data: {
        ...status,
        signal: signal && { id: signal.id, reference: reference('signal', signal.number) },
        receipt,
        steps: steps.map(step => (sealed.has(step.step) ? { ...step, reason: '' } : step)),
        total_ms: receipt === null ? null : Math.max(...steps.map(({ elapsed_ms }) => elapsed_ms)),
        retries: steps.filter(({ outcome }) => outcome === 'retry').length,
        replays: Math.max(0, ...steps.map(({ replay }) => replay)),
        dead_letters: deadLetters.map(toDeadLetter),
      },
    }
  },
})
