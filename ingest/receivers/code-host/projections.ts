import { showsSomething } from '../../../schemas/domain/visible-text.ts'
import {
  deploymentPayload,
  type ProjectedCommit,
  type ProjectedDeployment,
  type ProjectedPullRequest,
  type ProjectedRelease,
  type PullRequestPayload,
  type PushPayload,
  pullRequestPayload,
  pushPayload,
  releasePayload,
} from '../../../schemas/http/code-host.ts'
import { parseJson } from '../json.ts'
import { actorOf, common, createShortener, firstInstant, type Projection, type Shortener } from './event.ts'

const MAX_COMMITS = 500

/**
 * A push is one signal made of its commits' messages. A pushed tag has no commits of its own, and uses the message of
 * the commit that it points to. A deleted branch or tag is an activity only.
 */
export const projectPush: Projection = (json, codeHost, now) => {
  const parsed = parseJson(json, pushPayload)
  if (parsed.kind === 'refusal') return parsed
  const payload = parsed.value
  const short = createShortener()
  const messages = messagesOf(payload)
  const commits = keep(messages, short)
  const count = Math.max(messages.length, Math.trunc(payload.total_commits ?? 0))
  const actor = actorOf(payload.sender, payload.pusher?.email ?? null, short)
  const occurredAt = firstInstant(now, payload.repository.pushed_at, payload.head_commit?.timestamp)
  const signal = {
    ...common(codeHost, payload.repository, payload.compare ?? payload.compare_url, short),
    actor,
    occurred_at: occurredAt,
    ref: short.label(payload.ref),
    commits,
    commit_count: count,
    shortened: short.shortened() || commits.length < count,
  }
  return { kind: 'event', action: '', actor, occurredAt, signal: commits.length > 0 ? signal : null }
}

const messagesOf = ({ commits: listed, head_commit: head }: PushPayload): readonly ProjectedCommit[] => {
  const commits = listed && listed.length > 0 ? listed : head ? [head] : []
  // GitHub lists the oldest commit first and the head last, Gitea and Forgejo the reverse.
  const ordered = commits[0]?.id === head?.id ? commits.toReversed() : commits
  return ordered.filter(commit => showsSomething(commit.message))
}

const keep = (commits: readonly ProjectedCommit[], short: Shortener): ProjectedCommit[] => {
  const kept: ProjectedCommit[] = []
  for (const { id, message } of commits) {
    if (kept.length === MAX_COMMITS || short.room() === 0) break
    kept.push({ id: short.label(id), message: short.text(message) })
  }
  return kept
}

/** A pull request is a signal when it is opened, reopened or merged; other actions are activities only. */
export const projectPullRequest: Projection = (json, codeHost, now) => {
  const parsed = parseJson(json, pullRequestPayload)
  if (parsed.kind === 'refusal') return parsed
  const payload = parsed.value
  const pull = payload.pull_request
  const short = createShortener()
  const action = meaning(payload)
  const actor = actorOf(payload.sender, null, short)
  const occurredAt = firstInstant(
    now,
    ...(action === 'merged' ? [pull.merged_at] : []),
    pull.updated_at,
    pull.created_at,
  )
  if (action === null) {
    return { kind: 'event', action: short.label(payload.action), actor, occurredAt, signal: null }
  }
  const signal: ProjectedPullRequest = {
    ...common(codeHost, payload.repository, pull.html_url, short),
    actor,
    occurred_at: occurredAt,
    action,
    number: pull.number,
    title: short.text(pull.title),
    body: short.text(pull.body),
    branch: short.label(pull.head.ref),
    base: short.label(pull.base.ref),
    shortened: short.shortened(),
  }
  return { kind: 'event', action, actor, occurredAt, signal }
}

const meaning = ({ action, pull_request: pull }: PullRequestPayload): ProjectedPullRequest['action'] | null => {
  if (action === 'opened' || action === 'reopened') return action
  return action === 'closed' && pull.merged === true ? 'merged' : null
}

/**
 * A release is a signal when it is published. The host also sends `created`, `released` or `prereleased` for the same
 * release; these are activities only.
 */
export const projectRelease: Projection = (json, codeHost, now) => {
  const parsed = parseJson(json, releasePayload)
  if (parsed.kind === 'refusal') return parsed
  const { action, release, repository, sender } = parsed.value
  const short = createShortener()
  const actor = actorOf(sender, null, short)
  const occurredAt = firstInstant(now, release.published_at, release.created_at)
  const signal: ProjectedRelease = {
    ...common(codeHost, repository, release.html_url, short),
    actor,
    occurred_at: occurredAt,
    tag: short.label(release.tag_name),
    name: short.label(release.name || release.tag_name),
    body: short.text(release.body),
    prerelease: release.prerelease ?? false,
    shortened: short.shortened(),
  }
  return {
    kind: 'event',
    action: short.label(action),
    actor,
    occurredAt,
    signal: action === 'published' ? signal : null,
  }
}

/** Every deployment is a signal. */
export const projectDeployment: Projection = (json, codeHost, now) => {
  const parsed = parseJson(json, deploymentPayload)
  if (parsed.kind === 'refusal') return parsed
  const { action, deployment, repository, sender } = parsed.value
  const short = createShortener()
  const actor = actorOf(sender, null, short)
  const occurredAt = firstInstant(now, deployment.created_at)
  const page = repository.html_url ? `${repository.html_url}/commit/${deployment.sha}` : null
  const signal: ProjectedDeployment = {
    ...common(codeHost, repository, page, short),
    actor,
    occurred_at: occurredAt,
    environment: short.label(deployment.environment),
    ref: short.label(deployment.ref),
    sha: short.label(deployment.sha),
    task: short.label(deployment.task ?? ''),
    description: short.text(deployment.description),
    shortened: short.shortened(),
  }
  return { kind: 'event', action: short.label(action ?? ''), actor, occurredAt, signal }
}
