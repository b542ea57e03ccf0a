import { eventually } from '../../../infra/runtime/testing.ts'
import type { Visit } from '../visit.ts'

export interface Story {
  readonly visit: Visit
  /** References by text. */
  readonly claims: Readonly<Record<string, string>>
  readonly signals: Readonly<Record<string, string>>
}

interface Claim {
  readonly reference: string
  readonly state: string
  readonly evidence: { readonly count: number }
  readonly answering_solutions: readonly { readonly reference: string }[]
}

/** What the screens of claims, signals and Decisions are worked with. */
export const actsOf = (story: () => Story) => {
  const visit = () => story().visit
  const lookUp = (id: string) => visit().person.call<Claim>('lookup_claim', { id })
  const says = (text: string | RegExp) => visit().page.getByRole('alert').filter({ hasText: text }).first().waitFor()
  const undo = async (isUndone: () => Promise<boolean>) => {
    await visit().page.keyboard.press('z')
    await eventually('it is undone', async () => (await isUndone()) || null)
    await says('Undone.')
  }
  return { visit, lookUp, says, undo }
}
