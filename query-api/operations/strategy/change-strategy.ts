import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import type { DecisionObject } from '../../../model/decisions/log-decision.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { addElement, readElement } from '../../../model/strategy/elements.ts'
import { link, linksOf } from '../../../model/strategy/links.ts'
import { resolveClaims } from '../claims/resolve-claims.ts'
import { DecisionBasis, recordDecision, requireDecision } from '../decisions/decision-basis.ts'
import { type WriteContext, writeOperation } from '../define.ts'
import { requireActionFields, requireField } from '../parts/action-fields.ts'
import { resolveSolutions } from '../solutions/resolve-solutions.ts'
import { ElementShape, toElement } from './element-shape.ts'
import { type ChangedElement, changeElement, linkObjects } from './strategy-changes.ts'
import { type StrategyInput, strategyInput, TAKES } from './strategy-fields.ts'

const add = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  given: StrategyInput,
): Promise<ChangedElement> => {
  await requireQuota(transaction, services.quotas, 'strategyElements', caller.workspaceId)
  const claimIds = await resolveClaims(transaction, given.claim_ids)
  const solutionIds = await resolveSolutions(transaction, given.solution_ids)
  const element = {
    layer: requireField(given.layer),
    title: requireField(given.title).trim(),
    summary: given.summary ?? '',
    position: given.position,
  }
  const id = await addElement(transaction, caller.workspaceId, element, services.now())
  const linked = await link(transaction, caller.workspaceId, id, { claimIds, solutionIds })
  const change = { added: true, layer: element.layer, title: element.title }
  return { element: await readElement(transaction, id), change, objects: linkObjects(id, element.title, linked, true) }
}

/** What a write shows of an element: enough links to see what came of it. */
const SHOWN = { links: 10, title: 300, characters: 2000 }

export const changeStrategy = writeOperation({
  name: 'change_strategy',
  title: 'Change the Strategy Stack',
  summary:
    'Adds a vision, objective or bet to the Strategy Stack, updates, moves (within its layer or to another) or removes one, or links and unlinks claims and Solutions. Only after a human Decision: comment or decision_id. Send the version you read.',
  effect: 'destructive',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: strategyInput,
  output: Type.Object({
    element: ElementShape,
    changed: Type.Record(Type.String(), Type.Unknown()),
    decision: DecisionBasis,
  }),
  apply: async (given, transaction, context) => {
    const { action } = given
    requireActionFields(given, TAKES[action])
    const grounds = await requireDecision(transaction, context.caller, given)
    await lockWorkspaces(transaction, [context.caller.workspaceId], 'strategy')
    const { element, change, objects } =
      action === 'add'
        ? await add(transaction, context, given)
        : await changeElement(transaction, context, given, action)
    const about: DecisionObject = { kind: 'strategy_element', id: element.id, change }
    const decision = await recordDecision(
      transaction,
      context,
      grounds,
      [about, ...objects],
      [{ kind: 'strategy_element', id: element.id, orIds: objects.map(one => one.id) }],
    )
    const links = await linksOf(transaction, [element.id], SHOWN.links)
    return {
      data: {
        element: toElement(element, links.get(element.id), SHOWN),
        changed: { ...change },
        decision,
      },
    }
  },
})
