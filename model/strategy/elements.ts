import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { newId, type StrategyElementId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { STRATEGY_LAYERS, type StrategyLayer } from '../../schemas/domain/vocabulary.ts'
import { withItemAt } from '../collections.ts'

/** An element of the Strategy Stack: a vision, objective or bet. */
export interface StrategyElement {
  readonly id: StrategyElementId
  readonly layer: StrategyLayer
  /** From 1 within its layer. */
  readonly position: number
  readonly title: string
  readonly summary: string
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const SELECT_ELEMENTS = `
  select id, layer, position, title, summary, version, created_at, updated_at from strategy_elements`

const ONE = `${SELECT_ELEMENTS} where id = $1`
const LOCK = `${SELECT_ELEMENTS} where id = $1 for update`
const ORDER = `select id from strategy_elements where layer = $1 order by position, id`
const INSERT = `
  insert into strategy_elements (id, workspace_id, layer, position, title, summary, created_at, updated_at)
  values ($1, $2, $3, 1, $4, $5, $6, $6)`
const UPDATE = `
  update strategy_elements set layer = $2, title = $3, summary = $4, version = version + 1, updated_at = $5
  where id = $1`
const REMOVE = `delete from strategy_elements where id = $1`
const PLACE = `
  update strategy_elements set position = placed.position
  from unnest($1::uuid[]) with ordinality as placed (id, position)
  where strategy_elements.id = placed.id and strategy_elements.position <> placed.position`

/** Throws `not_found` when it was removed meanwhile. */
export const readElement = async (transaction: Transaction, id: string): Promise<StrategyElement> => {
  const [element] = await transaction.query<StrategyElement>(ONE, [id])
  if (element === undefined) throw new AssayError('not_found', 'The element of the strategy is not there any more.')
  return element
}

/**
 * Reads an element and locks it until the transaction ends. Throws `conflict` with the current element when the caller
 * has read another version.
 */
export const lockElement = async (
  transaction: Transaction,
  id: string,
  readVersion: number | undefined,
): Promise<StrategyElement> => {
  const [element] = await transaction.query<StrategyElement>(LOCK, [id])
  if (element === undefined) return readElement(transaction, id)
  if (readVersion === undefined || readVersion === element.version) return element
  throw new AssayError(
    'conflict',
    `The ${element.layer} "${element.title}" has changed: you read version ${readVersion}, it is at ${element.version}. Nothing was written. Decide again on what it is now.`,
    { context: { current: { ...element } } },
  )
}

const idsOf = async (transaction: Transaction, layer: StrategyLayer): Promise<readonly StrategyElementId[]> =>
  (await transaction.query<{ id: StrategyElementId }>(ORDER, [layer])).map(row => row.id)

/** An element before it has a place; `id` restores a removed one. */
type NewElement = Pick<StrategyElement, 'layer' | 'title' | 'summary'> & {
  readonly id?: StrategyElementId
  readonly position: number | undefined
}

/** The caller holds the workspace's strategy (`lockWorkspaces`), as for every change of an order. */
export const addElement = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  element: NewElement,
  at: Date,
): Promise<StrategyElementId> => {
  const { id = newId<StrategyElementId>(), layer, title, summary, position } = element
  const order = await idsOf(transaction, layer)
  await transaction.query(INSERT, [id, workspaceId, layer, title, summary, at])
  await transaction.query(PLACE, [withItemAt(order, id, position)])
  return id
}

/** Stores a locked element's new fields as its next version. `moveElement` changes the layer. */
export const updateElement = async (
  transaction: Transaction,
  element: StrategyElement,
  wanted: Partial<Pick<StrategyElement, 'layer' | 'title' | 'summary'>>,
  at: Date,
): Promise<void> => {
  const { id, layer, title, summary } = { ...element, ...wanted }
  await transaction.query(UPDATE, [id, layer, title, summary, at])
}

/**
 * Moves a locked element to a place in its own or another layer, as its next version. The caller holds the workspace's
 * strategy.
 */
export const moveElement = async (
  transaction: Transaction,
  element: StrategyElement,
  to: { readonly layer: StrategyLayer; readonly position: number | undefined },
  at: Date,
): Promise<void> => {
  const order = withItemAt(await idsOf(transaction, to.layer), element.id, to.position)
  await updateElement(transaction, element, { layer: to.layer }, at)
  await transaction.query(PLACE, [order])
  if (to.layer !== element.layer) await transaction.query(PLACE, [await idsOf(transaction, element.layer)])
}

/** Removes a locked element with its links. Elements behind it move up. The caller holds the workspace's strategy. */
export const removeElement = async (transaction: Transaction, { id, layer }: StrategyElement): Promise<void> => {
  await transaction.query(REMOVE, [id])
  await transaction.query(PLACE, [await idsOf(transaction, layer)])
}

const COUNTS = `
  select layer, count(*)::integer as elements from strategy_elements where layer = any ($1::text[]) group by layer`

const PAGE = `
  ${SELECT_ELEMENTS} where layer = any ($1::text[])
  order by array_position($1::text[], layer), position, id
  limit $2 offset $3`

/** A page of the Strategy Stack: the layers in order, each with its elements in order and their number. */
export const stackPage = async (
  transaction: Transaction,
  page: { readonly layer: StrategyLayer | undefined; readonly limit: number; readonly offset: number },
) => {
  const layers = STRATEGY_LAYERS.filter(layer => page.layer === undefined || layer === page.layer)
  const counted = await transaction.query<{ layer: StrategyLayer; elements: number }>(COUNTS, [layers])
  const elements = await transaction.query<StrategyElement>(PAGE, [layers, page.limit, page.offset])
  const counts = layers.map(layer => ({ layer, elements: counted.find(row => row.layer === layer)?.elements ?? 0 }))
  return { counts, elements }
}
