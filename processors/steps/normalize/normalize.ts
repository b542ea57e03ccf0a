import { plural } from '../../../schemas/domain/for-people.ts'
import { showsSomething } from '../../../schemas/domain/visible-text.ts'
import type { Content, Received } from '../../../schemas/events/signal.ts'
import type {
  CodeHostBodies,
  ProjectedDeployment,
  ProjectedPullRequest,
  ProjectedPush,
  ProjectedRelease,
} from '../../../schemas/http/code-host.ts'
import type { LoggedMail } from '../../../schemas/http/email.ts'
import type { SignalBody } from '../../../schemas/http/signal.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { dead, next, type StepDefinition, type WithParts } from '../../framework/step.ts'
import { canonical, type Reading } from './canonical.ts'

/** A heading, then its text, as a person reads it. */
const paragraphs = (...parts: readonly string[]): string =>
  parts
    .map(part => part.trim())
    .filter(part => part !== '')
    .join('\n\n')

const shared = (body: CodeHostBodies[keyof CodeHostBodies], metadata: Readonly<Record<string, unknown>>) => ({
  source: `${body.code_host}/${body.repository}`,
  source_url: body.url,
  actor_name: body.actor.login,
  actor_email: body.actor.email,
  signal_origin: 'internal' as const,
  actor_role: body.actor.bot ? ('system' as const) : ('engineer' as const),
  occurred_at: body.occurred_at,
  metadata: {
    code_host: body.code_host,
    repository: body.repository,
    ...metadata,
    ...(body.shortened ? { shortened: true } : {}),
  },
})

const BRANCH = 'refs/heads/'

const readPush = (body: ProjectedPush): Reading => {
  const target = body.ref.startsWith(BRANCH) ? body.ref.slice(BRANCH.length) : body.ref
  const count = `${body.commit_count} ${plural(body.commit_count, 'commit')}`
  const messages = body.commits.map(commit => `- ${commit.message.trim()}`).join('\n')
  return {
    ...shared(body, { ref: body.ref, commits: body.commits.map(commit => commit.id), commit_count: body.commit_count }),
    text: paragraphs(`Push of ${count} to ${target} of ${body.repository}`, messages),
    event: 'push',
  }
}

const readPullRequest = (body: ProjectedPullRequest): Reading => ({
  ...shared(body, { action: body.action, number: body.number, branch: body.branch, base: body.base }),
  text: paragraphs(`Pull request #${body.number} ${body.action} in ${body.repository}: ${body.title}`, body.body),
  event: `pull_request.${body.action}`,
})

const readRelease = (body: ProjectedRelease): Reading => ({
  ...shared(body, { tag: body.tag, prerelease: body.prerelease }),
  text: paragraphs(
    `${body.prerelease ? 'Prerelease' : 'Release'} ${body.tag} of ${body.repository}${body.name === body.tag ? '' : `: ${body.name}`}`,
    body.body,
  ),
  event: 'release.published',
})

const readDeployment = (body: ProjectedDeployment): Reading => ({
  ...shared(body, { environment: body.environment, ref: body.ref, sha: body.sha, task: body.task }),
  signal_origin: 'operational',
  text: paragraphs(`Deployment of ${body.ref} of ${body.repository} to ${body.environment}`, body.description),
  event: 'deployment.created',
})

/** A mail: its subject as a heading, then the newest part of its thread. The other parts are stored apart. */
const readEmail = (body: LoggedMail): Reading => ({
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
    ...(body.forward === null ? {} : { forwarded_by: body.forward.by, note: body.forward.note }),
    ...(body.attachment_count === 0 ? {} : { attachments: body.attachments, attachment_count: body.attachment_count }),
    ...(body.automatic ? { automatic: true } : {}),
    ...(body.shortened ? { shortened: true } : {}),
  },
  cuts: body.cuts ?? [{ kind: 'quoted', text: body.quoted ?? '' }],
  cut_omitted: body.cut_omitted ?? 0,
})

/** The signal webhook's body, with the contract's defaults: a customer's signal, by a user. */
export const readSignalBody = (body: SignalBody, receivedAt: number): Reading => {
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

/** Makes a canonical signal from every receiver's format, and drops the received body. */
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
  // Validate runs before and has checked the body against its format's schema.
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
      return readEmail(parsed as LoggedMail)
  }
}
