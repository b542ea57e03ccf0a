import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SolutionId, StrategyElementId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { StrategyLayer } from '../../schemas/domain/vocabulary.ts'
import { lockSurvivors } from '../claims/survivors.ts'
import {
  addElement,
  lockElement,
  moveElement,
  readElement,
  removeElement,
  type StrategyElement,
  updateElement,
} from './elements.ts'
import { everyLink, type Links, link, unlink } from './links.ts'

type Kept = Readonly<Record<string, unknown>>

interface Change {
  readonly transaction: Transaction
  readonly workspaceId: WorkspaceId
  readonly id: StrategyElementId
  readonly at: Date
}

interface KeptLinks {
  readonly claim_ids: readonly ClaimId[]
  readonly solution_ids: readonly SolutionId[]
}

const keptLinks = ({ claimIds, solutionIds }: Links): KeptLinks => ({ claim_ids: claimIds, solution_ids: solutionIds })

/** A removed element with everything that restores it, stored in a Decision. */
export const removal = ({ layer, position, title, summary }: StrategyElement, links: Links): Kept => ({
  removed: true,
  layer,
  position,
  title,
  summary,
  ...keptLinks(links),
})

type Removal = KeptLinks & Pick<StrategyElement, 'layer' | 'position' | 'title' | 'summary'>

const remove = async ({ transaction, id }: Change): Promise<Kept> => {
  const element = await lockElement(transaction, id, undefined)
  const kept = removal(element, await everyLink(transaction, id))
  await removeElement(transaction, element)
  return kept
}

/** Claims are replaced by the claims that survive them. */
const linksOf = async ({ transaction }: Change, { claim_ids, solution_ids }: KeptLinks): Promise<Links> => ({
  claimIds: [...new Set((await lockSurvivors(transaction, claim_ids)).values())],
  solutionIds: solution_ids,
})

const bringBack = async (change: Change, removed: Removal): Promise<Kept> => {
  const { transaction, workspaceId, id, at } = change
  const { layer, position, title, summary } = removed
  await addElement(transaction, workspaceId, { id, layer, position, title, summary }, at)
  await link(transaction, workspaceId, id, await linksOf(change, removed))
  return { added: true, layer, title }
}

const relink = async (change: Change, kept: KeptLinks, linked: boolean): Promise<Kept> => {
  const { transaction, workspaceId, id, at } = change
  const element = await lockElement(transaction, id, undefined)
  const links = await linksOf(change, kept)
  const changed = linked ? await link(transaction, workspaceId, id, links) : await unlink(transaction, id, links)
  await updateElement(transaction, element, {}, at)
  return { [linked ? 'linked' : 'unlinked']: keptLinks(changed) }
}

interface FieldsBefore {
  readonly title?: { readonly from: string }
  readonly summary?: { readonly from: string }
}

const writeBack = async ({ transaction, id, at }: Change, { title, summary }: FieldsBefore): Promise<Kept> => {
  const element = await lockElement(transaction, id, undefined)
  const before = { ...(title && { title: title.from }), ...(summary && { summary: summary.from }) }
  await updateElement(transaction, element, before, at)
  return {
    ...(title && { title: { from: element.title, to: title.from } }),
    ...(summary && { summary: { from: element.summary, to: summary.from } }),
  }
}

interface ElementPosition {
  readonly layer: StrategyLayer
  readonly position: number
}

const moveBack = async ({ transaction, id, at }: Change, to: ElementPosition): Promise<Kept> => {
  const element = await lockElement(transaction, id, undefined)
  await moveElement(transaction, element, to, at)
  const { layer, position } = await readElement(transaction, id)
  return { place: { from: { layer: element.layer, position: element.position }, to: { layer, position } } }
}

/**
 * Undoes one change of an element as a Decision stores it, and answers the inverse change in the same form. The caller
 * holds the workspace's strategy, and has checked that nobody changed the element since.
 */
export const undoElementChange = (change: Change, kept: Kept): Promise<Kept> => {
  // This service alone writes Decisions, in the forms that are read here.
  if (kept.added === true) return remove(change)
  if (kept.removed === true) return bringBack(change, kept as unknown as Removal)
  if (kept.linked !== undefined) return relink(change, kept.linked as KeptLinks, false)
  if (kept.unlinked !== undefined) return relink(change, kept.unlinked as KeptLinks, true)
  if (kept.place !== undefined) return moveBack(change, (kept.place as { readonly from: ElementPosition }).from)
  return writeBack(change, kept as FieldsBefore)
}
