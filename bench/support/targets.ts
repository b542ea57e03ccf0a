import { type CreatedSource, signUp } from '../../test/support/person.ts'
import type { Target } from './k6.ts'

/**
 * Makes a workspace and a signal source for each target, as a person would in the app: one endpoint takes 100 signals a minute,
 * so a load spreads over many.
 */
export const createTargets = async (baseUrl: string, count: number): Promise<readonly Target[]> => {
  const person = await signUp(baseUrl)
  const targets: Target[] = []
  for (let index = 0; index < count; index += 1) {
    const workspace = await person.call<{ id: string }>('create_workspace', { name: `Load ${index + 1}` })
    const { url, secret } = await person.inWorkspace(workspace.id).call<CreatedSource>('create_source', {
      kind: 'signal',
      name: 'Load',
    })
    targets.push({ url, secret })
  }
  return targets
}
