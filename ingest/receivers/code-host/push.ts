import { showsSomething } from '../../../schemas/domain/visible-text.ts'
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
  // GitHub lists the oldest first and the head last, Gitea and Forgejo the other way round.
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
