import { useDebouncedValue } from '@mantine/hooks'
import { useOperation } from '../../api/hooks.ts'
import { clip } from '../clip.ts'

/** What can be chosen by its reference. */
export type Pickable = 'claim' | 'solution'

interface Choice {
  /** The reference. */
  readonly value: string
  readonly label: string
}

const OFFERED = 20
const MAX_CHARACTERS = 80
const PAUSE_MS = 250

/**
 * What is offered for what somebody types, found by words, meaning or reference; until then the claims with the most evidence, or the
 * Solutions in board order.
 */
export const useChoices = (type: Pickable, typed: string, without: readonly string[]) => {
  const [query] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const claims = useOperation(
    'analyze_claims',
    { states: ['emerging', 'established'], limit: OFFERED },
    { enabled: type === 'claim' },
  )
  const solutions = useOperation(
    'lookup_backlog',
    { states: ['Backlog', 'Planned', 'In Progress', 'In Review'], limit: OFFERED },
    { enabled: type === 'solution' },
  )
  const found = useOperation(
    'lookup_search',
    { query, types: [type], limit: OFFERED },
    { enabled: query !== '', keep: true },
  )
  const first = type === 'claim' ? claims : solutions
  // Until something is found the first ones stay: an empty list would swallow the Enter of whoever is quicker.
  const items = (query === '' ? null : found.data?.items) ?? first.data?.items ?? []
  const choices = items.flatMap(({ reference, title }): Choice[] =>
    reference === null || without.includes(reference)
      ? []
      : [{ value: reference, label: `${reference} ${clip(title, MAX_CHARACTERS)}` }],
  )
  return { choices, isReading: first.isPending || found.isFetching }
}
