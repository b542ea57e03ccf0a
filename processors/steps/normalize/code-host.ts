import { plural } from '../../../schemas/domain/for-people.ts'
import type {
  CodeHostBodies,
  ProjectedDeployment,
  ProjectedPullRequest,
  ProjectedPush,
  ProjectedRelease,
} from '../../../schemas/http/code-host.ts'
import type { Reading } from './canonical.ts'

/** A heading, then what it is about, as a person would read it. */
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

export const readPush = (body: ProjectedPush): Reading => {
  const target = body.ref.startsWith(BRANCH) ? body.ref.slice(BRANCH.length) : body.ref
  const count = `${body.commit_count} ${plural(body.commit_count, 'commit')}`
  const messages = body.commits.map(commit => `- ${commit.message.trim()}`).join('\n')
  return {
    ...shared(body, { ref: body.ref, commits: body.commits.map(commit => commit.id), commit_count: body.commit_count }),
    text: paragraphs(`Push of ${count} to ${target} of ${body.repository}`, messages),
    event: 'push',
  }
}

export const readPullRequest = (body: ProjectedPullRequest): Reading => ({
  ...shared(body, { action: body.action, number: body.number, branch: body.branch, base: body.base }),
  text: paragraphs(`Pull request #${body.number} ${body.action} in ${body.repository}: ${body.title}`, body.body),
  event: `pull_request.${body.action}`,
})

export const readRelease = (body: ProjectedRelease): Reading => ({
  ...shared(body, { tag: body.tag, prerelease: body.prerelease }),
  text: paragraphs(
    `${body.prerelease ? 'Prerelease' : 'Release'} ${body.tag} of ${body.repository}${body.name === body.tag ? '' : `: ${body.name}`}`,
    body.body,
  ),
  event: 'release.published',
})

export const readDeployment = (body: ProjectedDeployment): Reading => ({
  ...shared(body, { environment: body.environment, ref: body.ref, sha: body.sha, task: body.task }),
  signal_origin: 'operational',
  text: paragraphs(`Deployment of ${body.ref} of ${body.repository} to ${body.environment}`, body.description),
  event: 'deployment.created',
})
