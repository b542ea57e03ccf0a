import type { ProjectedDeployment } from '../../../schemas/http/code-host.ts'
import { deploymentPayload } from '../../../schemas/http/code-host-payloads.ts'
import { parseJson } from '../json.ts'
import { actorOf, common, firstInstant, type Projection } from './event.ts'
import { createShortener } from './shorten.ts'

/** A signal for every deployment. */
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
