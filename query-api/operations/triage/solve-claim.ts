import { solutionsOfClaim } from '../../../model/claims/claims.ts'
import { attachToDecision, storeDecision } from '../../../model/decisions/log-decision.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { insertSolution } from '../../../model/solutions/change-solution.ts'
import type { TitleOfTheme } from '../../../model/themes/title-of-theme.ts'
import type { SolutionId } from '../../../schemas/domain/ids.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import type { Transaction, WriteContext } from '../define.ts'
import type { GatheredSignals } from './gather.ts'

/**
 * Puts a Solution on the Backlog for the claim of the gathered signals, under the gathering Decision, or under a new
 * one when nothing was gathered. Its title is the theme's name when a person gave one, or else the claim's. When a
 * Solution already answers the claim, that one is answered, so a repeated call adds none.
 */
export const solveClaim = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  gathered: GatheredSignals,
  called: TitleOfTheme | null,
): Promise<GatheredSignals> => {
  const { workspaceId } = caller
  const { claim } = gathered
  const [standing] = (await solutionsOfClaim(transaction, claim.id)).filter(({ state }) => state !== 'Dropped')
  if (standing !== undefined) {
    const { id, number, title } = standing
    // The column contains a Solution's id.
    return { ...gathered, solution: { id: id as SolutionId, reference: reference('solution', number), title } }
  }
  await requireQuota(transaction, services.quotas, 'solutions', workspaceId)
  const at = services.now()
  const { name } = await resolveOne(transaction, 'claim', claim.id)
  const title = (called?.isNamed ? called.title : name).slice(0, MAX_CHARACTERS.title)
  const claimIds = [claim.id]
  const { id, number } = await insertSolution(transaction, workspaceId, {
    ...{ title, summary: '', priorityBoost: 1, claimIds, at },
  })
  const solution = { id, reference: reference('solution', number), title }
  const statement = `${solution.reference} answers ${claim.reference}.`
  const decision = gathered.decision ?? (await storeDecision(transaction, caller, { statement, at, objects: [] }))
  await attachToDecision(transaction, workspaceId, decision.id, [
    { kind: 'solution', id, change: { created: true, title, claim_ids: claimIds } },
  ])
  return { ...gathered, solution, decision }
}
