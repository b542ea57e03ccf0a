import type { Transaction } from '../../infra/postgres/port.ts'
import { isUuid } from '../../schemas/domain/ids.ts'
import { REFERENCE_PREFIXES } from '../../schemas/domain/vocabulary.ts'
import { requireNoPendingSignal } from '../references/pending-signal.ts'
import { resolve } from '../references/resolve.ts'
import type { Ranked } from './search-rankings.ts'
import { SEARCHED_ROWS, type Searched } from './searched.ts'

export interface Match extends Ranked {
  readonly number: number | null
  readonly title: string
  readonly text: string
}

const REFERENCED = ['signal', 'claim', 'solution', 'decision'] as const
const MAX_REFERENCES = 10

/** The objects whose references stand in the query, in its order, or the one whose id it is. Throws `SignalPending` for one on its way. */
export const namedIn = async (
  transaction: Transaction,
  text: string,
  types: readonly Searched[],
): Promise<Ranked[]> => {
  const named: Ranked[] = []
  if (isUuid(text.trim())) {
    for (const type of REFERENCED.filter(kind => types.includes(kind))) {
      const resolution = await resolve(transaction, type, text)
      if (resolution.kind === 'one') named.push(asNamed(type, resolution.found.id))
    }
    if (named.length === 0) await requireNoPendingSignal(transaction, text)
    return named
  }
  for (const [found, prefix] of [...text.matchAll(/\b([a-z]{3})-\d{1,9}\b/gi)].slice(0, MAX_REFERENCES)) {
    const type = REFERENCED.find(kind => types.includes(kind) && REFERENCE_PREFIXES[kind] === prefix?.toUpperCase())
    if (type === undefined) continue
    const resolution = await resolve(transaction, type, found)
    if (resolution.kind === 'one') named.push(asNamed(type, resolution.found.id))
  }
  return named
}

const asNamed = (type: Searched, id: string): Ranked => ({ type, id, matched: 'reference', repeats: [], score: 1 })

/** What the page's matches say, in its order. What is not to be shown, or gone meanwhile, is left out. */
export const readMatches = async (transaction: Transaction, page: readonly Ranked[]): Promise<readonly Match[]> => {
  const found = new Map<string, Omit<Match, keyof Ranked>>()
  for (const type of new Set(page.map(match => match.type))) {
    const { table, match, shown } = SEARCHED_ROWS[type]
    const rows = await transaction.query<Omit<Match, keyof Ranked> & { readonly id: string }>(
      `select id, ${match} from ${table} where id = any ($1::uuid[]) and ${shown}`,
      [page.flatMap(match => (match.type === type ? [match.id] : []))],
    )
    for (const row of rows) found.set(row.id, row)
  }
  return page.flatMap(ranked => {
    const match = found.get(ranked.id)
    return match === undefined ? [] : [{ ...match, ...ranked }]
  })
}
