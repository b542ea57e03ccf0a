import { takeWithinBudget } from './excerpt.ts'
import type { Depth } from './fields.ts'

interface Cut {
  /** Number of all items, when not all were read. */
  readonly count?: number
  /** The call that answers the rest. */
  readonly rest: string
}

/** Lists of an answer that show what fits. One note names the missing items and the calls for them. */
export interface CutLists {
  /** The first items within the tokens; none when there is no room. */
  take<Item>(name: string, items: readonly Item[], tokens: number, cut: Cut): Item[]
  /** Null when all lists are complete. */
  note(): string | null
}

/** A summary has no room for a call for each list; a greater depth shows more of all. */
export const createCutLists = (depth: Depth = 'standard'): CutLists => {
  const said: string[] = []
  return {
    take: (name, items, tokens, { count = items.length, rest }) => {
      const shown = tokens === 0 ? [] : takeWithinBudget(items, tokens)
      const call = depth === 'summary' ? '' : ` (${rest})`
      if (shown.length < count) said.push(`${name} ${shown.length} of ${count}${call}`)
      return shown
    },
    note: () =>
      said.length === 0 ? null : `Cut: ${said.join('; ')}.${depth === 'summary' ? ' Depth standard has more.' : ''}`,
  }
}
