import type { ProjectedRelease } from '../../../schemas/http/code-host.ts'
import { releasePayload } from '../../../schemas/http/code-host-payloads.ts'
import { parseJson } from '../json.ts'
import { actorOf, common, firstInstant, type Projection } from './event.ts'
import { createShortener } from './shorten.ts'

/**
 * A signal when a release is published. The host also says `created`, `released` or `prereleased` of the same release: those are
 * activities only, or one release would be several signals.
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
