import type { ProjectedCommit } from '../../../schemas/http/code-host.ts'
import { type PushPayload, pushPayload } from '../../../schemas/http/code-host-payloads.ts'
import { parseJson } from '../json.ts'
import { actorOf, common, firstInstant, type Projection } from './event.ts'
import { createShortener, type Shortener } from './shorten.ts'

const MAX_COMMITS = 500

/**
 * One signal a push: its commits' messages. A pushed tag has no commits of its own and speaks with the one it points to; a deleted
 * branch or tag has no message at all and is an activity only.
 */
export const projectPush: Projection = (json, codeHost, now) => {
  const parsed = parseJson(json, pushPayload)
  if (parsed.kind === 'refusal') return parsed
  const payload = parsed.value
  const short = createShortener()
  const messages = messagesOf(payload)
  const commits = keep(messages, short)
  const actor = actorOf(payload.sender, payload.pusher?.email ?? null, short)
  const occurredAt = firstInstant(now, payload.repository.pushed_at)
  const signal = {
    ...common(codeHost, payload.repository, payload.compare, short),
    actor,
    occurred_at: occurredAt,
    ref: short.label(payload.ref),
    commits,
    commit_count: messages.length,
    shortened: short.shortened() || commits.length < messages.length,
  }
  return { kind: 'event', action: '', actor, occurredAt, signal: commits.length > 0 ? signal : null }
}

const messagesOf = (payload: PushPayload): readonly ProjectedCommit[] => {
  const commits = payload.commits.length > 0 ? payload.commits : payload.head_commit ? [payload.head_commit] : []
  return commits.filter(commit => commit.message.trim() !== '')
}

const keep = (commits: readonly ProjectedCommit[], short: Shortener): ProjectedCommit[] => {
  const kept: ProjectedCommit[] = []
  for (const { id, message } of commits) {
    if (kept.length === MAX_COMMITS || short.room() === 0) break
    kept.push({ id: short.label(id), message: short.text(message) })
  }
  return kept
}
