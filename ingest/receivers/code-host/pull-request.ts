import type { ProjectedPullRequest } from '../../../schemas/http/code-host.ts'
import { type PullRequestPayload, pullRequestPayload } from '../../../schemas/http/code-host-payloads.ts'
import { parseJson } from '../json.ts'
import { actorOf, common, firstInstant, type Projection } from './event.ts'
import { createShortener } from './shorten.ts'

/** A signal for a pull request that is opened, reopened or merged; every other action is an activity only. */
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
