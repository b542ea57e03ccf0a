import type { Transaction } from '../../infra/postgres/port.ts'
import { STRATEGY_LAYERS, type StrategyLayer } from '../../schemas/domain/vocabulary.ts'
import type { StrategyElement } from './elements.ts'

const COUNTS = `
  select layer, count(*)::integer as elements from strategy_elements where layer = any ($1::text[]) group by layer`

const PAGE = `
  select id, layer, position, title, summary, version, created_at, updated_at
  from strategy_elements where layer = any ($1::text[])
  order by array_position($1::text[], layer), position, id
  limit $2 offset $3`

/** A page of the Strategy Stack: the layers in their order, the elements of each in theirs; with how many each layer has. */
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
