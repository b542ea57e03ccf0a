import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { DecisionObject } from '../../../model/decisions/log-decision.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import {
  lockElement,
  moveElement,
  readElement,
  removeElement,
  type StrategyElement,
  updateElement,
} from '../../../model/strategy/elements.ts'
import { everyLink, type Links, link, unlink } from '../../../model/strategy/links.ts'
import { removal } from '../../../model/strategy/undo-change.ts'
import type { StrategyElementId } from '../../../schemas/domain/ids.ts'
import { resolveClaims } from '../claims/resolve-claims.ts'
import type { WriteContext } from '../define.ts'
import { requireField } from '../parts/action-fields.ts'
import { resolveSolutions } from '../solutions/resolve-solutions.ts'
import type { StrategyInput } from './strategy-fields.ts'

/** What came of a change of one element, and what else the Decision is about. */
export interface ChangedElement {
  /** As it is now; as it was, once removed. */
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

/** The claims and Solutions whose links to an element came or went. */
export const linkObjects = (
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

/** Changes the element that `strategy_id` stands for. The caller holds the workspace's strategy. */
export const changeElement = async (
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
