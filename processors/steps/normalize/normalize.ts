import { showsSomething } from '../../../schemas/domain/visible-text.ts'
import type { Content, Received } from '../../../schemas/events/signal.ts'
import type { CodeHostBodies } from '../../../schemas/http/code-host.ts'
import type { ProjectedMail } from '../../../schemas/http/email.ts'
import type { SignalBody } from '../../../schemas/http/signal.ts'
import { dead, next } from '../../framework/results.ts'
import type { StepDefinition, WithParts } from '../../framework/step.ts'
import { canonical, type Reading } from './canonical.ts'
import { readDeployment, readPullRequest, readPush, readRelease } from './code-host.ts'
import { readEmail } from './email.ts'
import { readSignalBody } from './signal-body.ts'

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
