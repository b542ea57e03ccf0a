import { showsSomething } from '../../../schemas/domain/visible-text.ts'
import type { Content, Received } from '../../../schemas/events/signal.ts'
import type { CodeHostBodies } from '../../../schemas/http/code-host.ts'
import type { ProjectedMail } from '../../../schemas/http/email.ts'
import type { SignalBody } from '../../../schemas/http/signal.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { dead, next } from '../../framework/results.ts'
import type { StepDefinition, WithParts } from '../../framework/step.ts'
import { canonical, type Reading } from './canonical.ts'
import { readDeployment, readPullRequest, readPush, readRelease } from './code-host.ts'

/** A mail: its subject as a heading, then the newest part of its thread. The parts that it quotes stay apart. */
const readEmail = (body: ProjectedMail): Reading => ({
  text: [body.subject, body.text].filter(part => part !== '').join('\n\n'),
  event: null,
  source: 'email',
  source_url: null,
  actor_name: body.author.name,
  actor_email: body.author.email,
  signal_origin: 'customer',
  actor_role: body.automatic ? 'system' : 'user',
  occurred_at: body.occurred_at,
  metadata: {
    subject: body.subject,
    ...(body.thread === null ? {} : { thread: body.thread }),
    ...(body.quoted === '' ? {} : { quoted: body.quoted }),
    ...(body.forward === null ? {} : { forwarded_by: body.forward.by, note: body.forward.note }),
    ...(body.attachment_count === 0 ? {} : { attachments: body.attachments, attachment_count: body.attachment_count }),
    ...(body.automatic ? { automatic: true } : {}),
    ...(body.shortened ? { shortened: true } : {}),
  },
})

/** The signal webhook's body, with the contract's defaults: a customer's signal, by a user. */
const readSignalBody = (body: SignalBody, receivedAt: number): Reading => {
  const instant = body.occurred_at === undefined ? null : parseInstant(body.occurred_at, receivedAt)
  return {
    text: body.text,
    event: body.event ?? null,
    source: body.source ?? null,
    source_url: body.source_url ?? null,
    actor_name: body.actor_name ?? null,
    actor_email: body.actor_email ?? null,
    signal_origin: body.signal_origin ?? 'customer',
    actor_role: body.actor_role ?? 'user',
    occurred_at: instant?.ok ? instant.at : null,
    metadata: body.metadata ?? {},
  }
}

/** Makes one canonical signal of every receiver's format, and takes away what was received. */
export const createNormalize = (): StepDefinition<
  WithParts<'received'>,
  { readonly content: Content; readonly received: null }
> => ({
  name: 'normalize',
  summary: "Turns every receiver's format into one canonical signal.",
  guarantee: 'A function of the record alone: the same record gives the same content.',
  version: '1',
  isPerSignal: true,
  run: async batch =>
    batch.map(({ received, received_at }) => {
      const content = canonical(read(received, received_at))
      if (!showsSomething(content.text)) return dead('/text has no character that can be stored and seen.', 'sender')
      return next({ content, received: null })
    }),
})

const read = ({ format, body }: Received, receivedAt: number): Reading => {
  // Validate, which always runs before, held the body against the schema of its format.
  const parsed: unknown = JSON.parse(body)
  switch (format) {
    case 'signal':
      return readSignalBody(parsed as SignalBody, receivedAt)
    case 'push':
      return readPush(parsed as CodeHostBodies['push'])
    case 'pull_request':
      return readPullRequest(parsed as CodeHostBodies['pull_request'])
    case 'release':
      return readRelease(parsed as CodeHostBodies['release'])
    case 'deployment':
      return readDeployment(parsed as CodeHostBodies['deployment'])
    case 'email':
      return readEmail(parsed as ProjectedMail)
  }
}
