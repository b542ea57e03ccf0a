import type { DecisionObject } from '../../../model/decisions/log-decision.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import {
  addElement,
  lockElement,
  moveElement,
  readElement,
  removeElement,
  type StrategyElement,
  updateElement,
} from '../../../model/strategy/elements.ts'
import { everyLink, type Links, link, linksOf, unlink } from '../../../model/strategy/links.ts'
import { removal } from '../../../model/strategy/undo-change.ts'
import type { StrategyElementId } from '../../../schemas/domain/ids.ts'
import { OWN_WORDS } from '../../../schemas/domain/strangers.ts'
import { resolveClaims } from '../claims/claim.ts'
import { DecisionBasis, recordDecision, requireDecision } from '../decisions/decision.ts'
import { AssayError, type Transaction, Type, type WriteContext, writeOperation } from '../define.ts'
import { requireActionFields, requireField } from '../parts/fields.ts'
import { resolveSolutions } from '../solutions/solution.ts'
import { ElementShape, type StrategyInput, strategyInput, TAKES, toElement } from './element.ts'

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

/** Parts of an element in a write's answer: enough links to see the effect. */
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
    changed: Type.Record(Type.String(), Type.Unknown(), { $comment: OWN_WORDS }),
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

/** Result of changing an element, and further objects of the Decision. */
interface ChangedElement {
  /** The present element; the last state of a removed one. */
  readonly element: StrategyElement
  readonly change: Readonly<Record<string, unknown>>
  readonly objects: readonly DecisionObject[]
}

type Change = (
  transaction: Transaction,
  context: WriteContext,
  given: StrategyInput,
  element: StrategyElement,
) => Promise<Omit<ChangedElement, 'element'>>

const nothingChanges = (why: string): AssayError => new AssayError('invalid_input', `Nothing would change. ${why}`)

/** The claims and Solutions whose links to an element were added or removed. */
const linkObjects = (
  id: StrategyElementId,
  title: string,
  { claimIds, solutionIds }: Links,
  linked: boolean,
): readonly DecisionObject[] => {
  const change = { [linked ? 'linked_strategy' : 'unlinked_strategy']: { id, title } }
  return [
    ...claimIds.map(claimId => ({ kind: 'claim' as const, id: claimId, change })),
    ...solutionIds.map(solutionId => ({ kind: 'solution' as const, id: solutionId, change })),
  ]
}

const update: Change = async (transaction, { services }, given, element) => {
  const wanted = {
    ...(given.title === undefined ? {} : { title: given.title.trim() }),
    ...(given.summary === undefined ? {} : { summary: given.summary }),
  }
  const change = Object.fromEntries(
    Object.entries(wanted)
      .map(([field, to]) => [field, { from: element[field as keyof typeof wanted], to }] as const)
      .filter(([, { from, to }]) => from !== to),
  )
  if (Object.keys(change).length === 0) throw nothingChanges('Send a title or summary that differs.')
  await updateElement(transaction, element, wanted, services.now())
  return { change, objects: [] }
}

const move: Change = async (transaction, { services }, given, element) => {
  const to = { layer: given.layer ?? element.layer, position: given.position }
  await moveElement(transaction, element, to, services.now())
  const after = await readElement(transaction, element.id)
  if (after.layer === element.layer && after.position === element.position) {
    throw nothingChanges(`It is number ${element.position} of its layer, ${element.layer}.`)
  }
  const placeOf = ({ layer, position }: StrategyElement) => ({ layer, position })
  return { change: { place: { from: placeOf(element), to: placeOf(after) } }, objects: [] }
}

const remove: Change = async (transaction, _context, _given, element) => {
  const change = removal(element, await everyLink(transaction, element.id))
  await removeElement(transaction, element)
  return { change, objects: [] }
}

const changeLinks =
  (linked: boolean): Change =>
  async (transaction, { caller, services }, given, element) => {
    const wanted = {
      claimIds: await resolveClaims(transaction, given.claim_ids),
      solutionIds: await resolveSolutions(transaction, given.solution_ids),
    }
    const changed = linked
      ? await link(transaction, caller.workspaceId, element.id, wanted)
      : await unlink(transaction, element.id, wanted)
    const { claimIds, solutionIds } = changed
    if (claimIds.length + solutionIds.length === 0) {
      throw nothingChanges(
        `Send claim_ids or solution_ids that are ${linked ? 'not linked to it yet' : 'linked to it'}.`,
      )
    }
    await updateElement(transaction, element, {}, services.now())
    const change = { [linked ? 'linked' : 'unlinked']: { claim_ids: claimIds, solution_ids: solutionIds } }
    return { change, objects: linkObjects(element.id, element.title, changed, linked) }
  }

const CHANGES = { update, move, remove, link: changeLinks(true), unlink: changeLinks(false) }

/** Changes the element of `strategy_id`. Needs the lock of the workspace's strategy. */
const changeElement = async (
  transaction: Transaction,
  context: WriteContext,
  given: StrategyInput,
  action: keyof typeof CHANGES,
): Promise<ChangedElement> => {
  const { id } = await resolveOne(transaction, 'strategy_element', requireField(given.strategy_id))
  const element = await lockElement(transaction, id, given.version)
  const changed = await CHANGES[action](transaction, context, given, element)
  return { ...changed, element: action === 'remove' ? element : await readElement(transaction, element.id) }
}
