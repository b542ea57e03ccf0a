import type { Violation } from '../../../infra/runtime/errors.ts'
import { withDeadline } from '../../../infra/runtime/promises.ts'
import { keyedSignalId, newSignalId, type SignalId } from '../../../schemas/domain/ids.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { ACTOR_ROLES, SIGNAL_ORIGINS } from '../../../schemas/domain/vocabulary.ts'
import { receivedSignal, type SignalRecord } from '../../../schemas/events/signal.ts'
import { knownFields, SignalBody, signalBody } from '../../../schemas/http/signal.ts'
import { timeViolation } from '../../../schemas/http/time.ts'
import { errorsIn, violationsOf } from '../../../schemas/http/violations.ts'
import { AssayError, type Caller, type PrepareContext, Type, writeOperation } from '../define.ts'
import { SIGNAL_BODY } from '../parts/body-limits.ts'
import { oneOf, uuid } from '../parts/fields.ts'

const { text, metadata } = SignalBody.properties

/** Longer than any accepted time. */
const MAX_TIME_CHARACTERS = 100

/** The webhook's body, with an agent's hints for each field. */
const input = Type.Object({
  text: Type.With(text, { description: 'What was said, in the words of whoever said it. At most 50,000 characters.' }),
  source: Type.Optional(
    Type.String({ maxLength: MAX_CHARACTERS.signalField, description: 'Where it was said, such as "interview".' }),
  ),
  source_url: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The URL of the source. It leads to the original.' }),
  ),
  occurred_at: Type.Optional(
    Type.Union([Type.String({ maxLength: MAX_TIME_CHARACTERS }), Type.Number()], {
      description: 'ISO 8601, epoch seconds or milliseconds. When it happened. Default now.',
    }),
  ),
  actor_name: Type.Optional(
    Type.String({ maxLength: MAX_CHARACTERS.signalField, description: 'The name of the actor. That is who said it.' }),
  ),
  actor_email: Type.Optional(
    Type.String({
      maxLength: 320,
      description: 'The email of the actor. Removed before storage, but keeps one person one person.',
    }),
  ),
  signal_origin: Type.Optional(oneOf(SIGNAL_ORIGINS, { description: 'Default customer.' })),
  actor_role: Type.Optional(oneOf(ACTOR_ROLES, { description: 'Default user.' })),
  event: Type.Optional(
    Type.String({ maxLength: MAX_CHARACTERS.signalField, description: 'Such as "churn"; a hint to the classifier.' }),
  ),
  metadata: Type.With(metadata, { description: 'Any metadata. Anything else worth keeping.' }),
})

/** The transaction waits for the append, and is cut off after 10 s. */
const APPEND_MS = 5000

/** Reusing a key for another body after its answer has expired makes a new signal. */
const signalId = ({ workspaceId, userId, via }: Caller, idempotencyKey: string | null, body: SignalBody): SignalId => {
  if (idempotencyKey === null) return newSignalId(workspaceId)
  const by = via.kind === 'key' ? via.keyId : userId
  const { text, actor_name: name = '', actor_email: email = '' } = body
  return keyedSignalId(workspaceId, 'capture', by, idempotencyKey, text, name, email)
}

const refused = (violations: readonly Violation[]): AssayError =>
  new AssayError('invalid_input', violations.map(({ pointer, message }) => `${pointer} ${message}.`).join(' '), {
    violations,
  })

/** Refuses what the webhook refuses, in the same words. */
const check = (body: SignalBody, now: number): void => {
  if (!signalBody.Check(body)) throw refused(violationsOf(errorsIn(signalBody, body)))
  const wrong = timeViolation('/occurred_at', body.occurred_at, now)
  if (wrong !== null) throw refused([wrong])
}

/** The record that the edge would append. */
const recordOf = (
  body: SignalBody,
  { caller, services, idempotencyKey }: Pick<PrepareContext, 'caller' | 'services' | 'idempotencyKey'>,
): SignalRecord => {
  const receivedAt = services.now().getTime()
  check(body, receivedAt)
  const identity = {
    signal_id: signalId(caller, idempotencyKey, body),
    tenant_id: caller.tenantId,
    workspace_id: caller.workspaceId,
    source_id: null,
    channel: 'capture',
    received_at: receivedAt,
  } as const
  return receivedSignal(identity, { format: 'signal', body: JSON.stringify(knownFields(body)) })
}

export const captureSignal = writeOperation({
  name: 'capture_signal',
  title: 'Capture a Signal',
  summary:
    'Sends one piece of evidence through the pipeline, like any other source: personal data is removed, repeats are counted at their original, and it lands in Triage within seconds. Answers the snippet_id to look it up by. Send X-Idempotency-Key to make a repeat of the call harmless.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  body: SIGNAL_BODY,
  cannotBeUndone: 'The Signal goes through the pipeline. Dismiss it in Triage: service_decide mode triage.',
  input,
  output: Type.Object({
    ok: Type.Boolean(),
    snippet_id: uuid,
    status: oneOf(['in_pipeline']),
    next: Type.String({ description: 'How to see what became of it.' }),
  }),
  prepare: async (body, context) => recordOf(body, context),
  changeOutside: (signal, { appendSignal }) => withDeadline(appendSignal(signal), APPEND_MS, 'Appending the signal'),
  apply: async (_input, _transaction, _context, { signal_id: snippetId }) => ({
    data: {
      ok: true,
      snippet_id: snippetId,
      status: 'in_pipeline' as const,
      next: `service_lookup mode signal, id ${snippetId}, in a second or two.`,
    },
  }),
})
