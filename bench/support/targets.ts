import { type CreatedSource, signUp } from '../../test/support/person.ts'
import type { Target } from './k6.ts'

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
