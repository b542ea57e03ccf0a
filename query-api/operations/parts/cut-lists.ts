import { takeWithinBudget } from './excerpt.ts'
import type { Depth } from './fields.ts'

interface Cut {
  /** How many there are, where not all were read. */
  readonly count?: number
  /** The call that answers the rest. */
  readonly rest: string
}

/** The lists of one answer that show what fits. What they leave out, and how to read it, is said in one note. */
export interface CutLists {
  /** The first of them, within so many tokens; none where there is no room at all. */
  take<Item>(name: string, items: readonly Item[], tokens: number, cut: Cut): Item[]
  /** Null where all lists are whole. */
  note(): string | null
}

/** A summary has no room for a call for each: a greater depth has more of all. */
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
