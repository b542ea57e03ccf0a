import { numberedAmong } from '../../../model/search/numbered.ts'
import { namedIn, passingFilters, type Ranked, searchRanked } from '../../../model/search/search-matches.ts'
import type { SearchedType, SearchFilters } from '../../../model/search/searched.ts'
import { AssayError, type ReadContext, type Transaction } from '../define.ts'
import { partialNote, WAIT_MS } from '../parts/words.ts'

/** A search text with its meaning and the workspace's words in memory. */
export interface PreparedSearch {
  readonly held: Awaited<ReturnType<ReadContext['services']['texts']['refresh']>>
  /** Best first: results with the text's words before merely similar ones; `among` may remove some. */
  rank(
    transaction: Transaction,
    types: readonly SearchedType[],
    filters: SearchFilters,
    among?: (found: readonly Ranked[]) => Promise<readonly Ranked[]>,
  ): Promise<readonly Ranked[]>
  /** The texts that were not searched; null when all were. Evaluated at the call: more may have been read since. */
  partial(): string | null
}

/** Reads everything for a search in the caller's workspace, outside of its transaction. */
export const prepareSearch = async ({ caller, read, services }: ReadContext, text: string): Promise<PreparedSearch> => {
  const { embedder, neighbours, texts } = services
  const [vector] = await embedder.embed([text])
  if (vector === undefined) throw new AssayError('internal', 'The embedder answered nothing for the query.')
  const meaning = { workspaceId: caller.workspaceId, model: embedder.model, vector }
  const [held] = await Promise.all([
    texts.refresh(read, caller.workspaceId, WAIT_MS),
    neighbours.fill(read, meaning, WAIT_MS),
  ])
  return {
    held,
    partial: () => partialNote(held, neighbours.isWhole(meaning)),
    rank: async (transaction, types, filters, among = async found => found) => {
      const named = await passingFilters(transaction, types, await namedIn(transaction, text, types), filters)
      const found = await among(
        await searchRanked(transaction, { text, meaning, types, filters }, { texts: held, neighbours }),
      )
      const numbered = await numberedAmong(transaction, text, found)
      const first = [...named, ...(await passingFilters(transaction, types, numbered, filters))]
      const ids = new Set(first.map(({ id }) => id))
      return [...first, ...found.filter(({ id }) => !ids.has(id))]
    },
  }
}
