import { setTimeout as delay } from 'node:timers/promises'
import { type CreatedSource, signUp } from '../../test/support/person.ts'
import type { Target } from './k6.ts'
import { sumMetric } from './metrics.ts'

const AT_ONCE = 8

/**
 * Makes a workspace and a signal source for each target, as a person would in the app: one endpoint takes 100 signals a minute,
 * so a load spreads over many.
 */
export const createTargets = async (baseUrl: string, count: number): Promise<readonly Target[]> => {
  const person = await signUp(baseUrl)
  const createTarget = async (index: number): Promise<Target> => {
    const workspace = await person.call<{ id: string }>('create_workspace', { name: `Load ${index + 1}` })
    const { url, secret } = await person.inWorkspace(workspace.id).call<CreatedSource>('create_source', {
      kind: 'signal',
      name: 'Load',
    })
    return { url, secret }
  }
  const targets: Target[] = []
  for (let begin = 0; begin < count; begin += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - begin)
    targets.push(...(await Promise.all(Array.from({ length: size }, (_, offset) => createTarget(begin + offset)))))
  }
  return targets
}

/** What an installation must be started with for so many targets of one person. */
export const quotasFor = (count: number) => ({ QUOTA_WORKSPACES_PER_ACCOUNT: String(count + 1) })

/** Waits until the edge has heard of so many endpoints, so that no request pays for a look-up. */
export const untilKnown = async (programs: readonly string[], endpoints: number): Promise<void> => {
  while ((await sumMetric(programs, 'assay_ingest_sources')) < endpoints) await delay(250)
}
