import type { Problem } from '../../api/http.ts'
import { useOperation } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { likelihood } from '../formats.ts'
import type { Choice } from './choose-list.tsx'

/** The object whose likely same ones are searched. */
export interface Same {
  readonly kind: 'signal' | 'claim'
  readonly id: string
}

interface Sought {
  readonly type: 'signal' | 'claim'
  /** Used until the person types. */
  readonly same: Same
  /** The typed words; empty without any. */
  readonly words: string
  readonly most: number
}

interface Found {
  /** Undefined before the first answer. */
  readonly items: readonly Choice[] | undefined
  readonly error: Problem | null
  readonly isFetching: boolean
  readonly refetch: () => void
}

/**
 * Signals or claims that are likely the same as another, nearest by meaning first, each with its number of signals and
 * its chance; for typed words, the results of a search.
 */
export const useFound = ({ type, same, words, most }: Sought): Found => {
  const searched = useOperation(
    'lookup_search',
    { query: words, types: [type], limit: most },
    { keep: true, enabled: words !== '' },
  )
  const likely = useOperation('list_likely_same', { ...same, type, limit: most }, { enabled: words === '' })
  const { error, isFetching, refetch } = words === '' ? likely : searched
  const ofSearch = () =>
    searched.data?.items.map(({ id, reference, title, text }) => ({
      id,
      reference,
      title: type === 'claim' ? title : text,
    }))
  const ofLikely = () =>
    likely.data?.items.map(({ id, reference, text, signals, chance }) => ({
      id,
      reference,
      title: text,
      mark: chance === null ? counted(signals, 'signal') : withChance(signals, chance),
    }))
  const items = words === '' ? ofLikely() : (ofSearch() ?? ofLikely())
  return { items, error, isFetching, refetch: () => void refetch() }
}

const withChance = (signals: number, chance: number): string =>
  t('{signals} · {chance} likely', { signals: counted(signals, 'signal'), chance: likelihood(chance) })
