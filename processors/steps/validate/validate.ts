import type { Received } from '../../../schemas/events/signal.ts'
import { signalBody } from '../../../schemas/http/signal.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { errorsIn, violationsOf } from '../../../schemas/http/violations.ts'
import { dead, next } from '../../framework/results.ts'
import type { StepDefinition, WithParts } from '../../framework/step.ts'
import { projections } from './projections.ts'

/** What a record's body may hold: a record of the log stays under 1 MiB. */
const MAX_BODY_BYTES = 1_048_576

/** Checks what was received once more: replays and every other receiver pass here too, and the schema may have changed since. */
export const createValidate = (): StepDefinition<WithParts<'received'>, Record<never, never>> => ({
  name: 'validate',
  summary: 'Checks the schema and the size of what was received, again.',
  guarantee: 'Changes nothing: the same record gives the same outcome.',
  version: '1',
  isPerSignal: true,
  run: async batch =>
    batch.map(({ received, received_at }) => {
      const wrong = whatIsWrong(received, received_at)
      return wrong === null ? next({}) : dead(wrong, 'sender')
    }),
})

const whatIsWrong = (received: Received, receivedAt: number): string | null => {
  const bytes = Buffer.byteLength(received.body)
  if (bytes > MAX_BODY_BYTES) return `The body has ${bytes} bytes; at most ${MAX_BODY_BYTES} are allowed.`
  const body = parse(received.body)
  if (body === undefined) return 'The body is not JSON.'
  const validator = received.format === 'signal' ? signalBody : projections[received.format]
  const violations = violationsOf(errorsIn(validator, body))
  if (violations.length > 0) {
    const list = violations
      .map(({ pointer, message }) => `${pointer === '' ? 'The body' : pointer} ${message}`)
      .join('; ')
    return `The body does not fit the format ${received.format}: ${list}.`
  }
  return received.format === 'signal' && signalBody.Check(body) ? wrongTime(body.occurred_at, receivedAt) : null
}

const wrongTime = (occurredAt: string | number | undefined, receivedAt: number): string | null => {
  const instant = occurredAt === undefined ? null : parseInstant(occurredAt, receivedAt)
  return instant === null || instant.ok ? null : `/occurred_at ${instant.message}.`
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
