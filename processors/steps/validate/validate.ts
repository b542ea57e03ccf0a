import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { CODE_HOSTS, CUT_KINDS } from '../../../schemas/domain/vocabulary.ts'
import type { Received } from '../../../schemas/events/signal.ts'
import type { CodeHostBodies } from '../../../schemas/http/code-host.ts'
import type { LoggedMail } from '../../../schemas/http/email.ts'
import { signalBody } from '../../../schemas/http/signal.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { errorsIn, violationsOf } from '../../../schemas/http/violations.ts'
import { dead, next, type StepDefinition, type WithParts } from '../../framework/step.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const Name = Type.String({ minLength: 1 })

/** Fields of every code-host event (`schemas/http/code-host.ts`). */
const projected = {
  code_host: Type.Enum(CODE_HOSTS),
  repository: Name,
  url: nullable(Type.String()),
  actor: Type.Object({ login: Type.String(), email: nullable(Type.String()), bot: Type.Boolean() }),
  occurred_at: nullable(Type.Number()),
  shortened: Type.Boolean(),
}

const Push = Type.Object({
  ...projected,
  ref: Name,
  commits: Type.Array(Type.Object({ id: Type.String(), message: Type.String() }), { minItems: 1 }),
  commit_count: Type.Integer({ minimum: 1 }),
})

const PullRequest = Type.Object({
  ...projected,
  action: Type.Enum(['opened', 'reopened', 'merged']),
  number: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  body: Type.String(),
  branch: Type.String(),
  base: Type.String(),
})

const Release = Type.Object({
  ...projected,
  tag: Name,
  name: Type.String(),
  body: Type.String(),
  prerelease: Type.Boolean(),
})

const Deployment = Type.Object({
  ...projected,
  environment: Type.String(),
  ref: Type.String(),
  sha: Type.String(),
  task: Type.String(),
  description: Type.String(),
})

const Mailbox = Type.Object({ name: nullable(Type.String()), email: nullable(Type.String()) })

/** Fields of a mail (`schemas/http/email.ts`). */
const Email = Type.Object({
  subject: Type.String(),
  text: Type.String(),
  cuts: Type.Optional(Type.Array(Type.Object({ kind: Type.Enum(CUT_KINDS), text: Type.String() }))),
  cut_omitted: Type.Optional(Type.Integer({ minimum: 0 })),
  quoted: Type.Optional(Type.String()),
  author: Mailbox,
  occurred_at: nullable(Type.Number()),
  forward: nullable(Type.Object({ by: Mailbox, note: Type.String() })),
  automatic: Type.Boolean(),
  thread: nullable(Type.String()),
  attachments: Type.Array(
    Type.Object({ name: Type.String(), type: Type.String(), size: Type.Integer({ minimum: 0 }) }),
  ),
  attachment_count: Type.Integer({ minimum: 0 }),
  shortened: Type.Boolean(),
})

/** Fails to compile when a schema accepts more than the projection's type. */
const checks =
  <Body>() =>
  <S extends TSchema>(schema: Static<S> extends Body ? S : never) =>
    Compile(schema)

export const projections = {
  push: checks<CodeHostBodies['push']>()(Push),
  pull_request: checks<CodeHostBodies['pull_request']>()(PullRequest),
  release: checks<CodeHostBodies['release']>()(Release),
  deployment: checks<CodeHostBodies['deployment']>()(Deployment),
  email: checks<LoggedMail>()(Email),
}

/** Longest body of a record. Log records stay under 1 MiB. */
const MAX_BODY_BYTES = 1_048_576

/** Checks the received body again: replays and every receiver pass here, and the schema may have changed since. */
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
