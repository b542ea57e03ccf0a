import type { Transaction } from '../../infra/postgres/port.ts'
import { REFERENCE_PREFIXES } from '../../schemas/domain/vocabulary.ts'
import { resolve } from '../references/resolve.ts'
import type { Fused, Ranked } from './search-rankings.ts'
import { SEARCHED_ROWS, type Searched } from './searched.ts'

export interface Match extends Ranked {
  readonly number: number | null
  readonly title: string
  readonly text: string
}

const REFERENCED = ['signal', 'claim', 'solution', 'decision'] as const
const MAX_REFERENCES = 10

/** The objects whose references stand in the query, in its order. */
export const namedIn = async (
  transaction: Transaction,
  text: string,
  types: readonly Searched[],
): Promise<Ranked[]> => {
  const named: Ranked[] = []
  for (const [found, prefix] of [...text.matchAll(/\b([a-z]{3})-\d{1,9}\b/gi)].slice(0, MAX_REFERENCES)) {
    const type = REFERENCED.find(kind => types.includes(kind) && REFERENCE_PREFIXES[kind] === prefix?.toUpperCase())
    if (type === undefined) continue
    const resolution = await resolve(transaction, type, found)
    if (resolution.kind === 'one') named.push({ type, id: resolution.found.id })
  }
  return named
}

/** What the page's matches say, in its order. What is not to be shown, or gone meanwhile, is left out. */
export const readMatches = async (
  transaction: Transaction,
  page: readonly Fused<Ranked>[],
): Promise<readonly Fused<Match>[]> => {
  const found = new Map<string, Match>()
  for (const type of new Set(page.map(({ item }) => item.type))) {
    const { table, match, shown } = SEARCHED_ROWS[type]
    const rows = await transaction.query<Omit<Match, 'type'>>(
      `select id, ${match} from ${table} where id = any ($1::uuid[]) and ${shown}`,
      [page.flatMap(({ item }) => (item.type === type ? [item.id] : []))],
    )
    for (const row of rows) found.set(row.id, { type, ...row })
  }
  return page.flatMap(({ item, score }) => {
    const match = found.get(item.id)
    return match === undefined ? [] : [{ item: match, score }]
  })
}
