import { useDebouncedValue } from '@mantine/hooks'
import { useOperation } from '../api/operations.ts'
import { clip, queryOf } from './formats.ts'

/** Kinds that can be chosen by reference. */
export type Pickable = 'claim' | 'solution'

interface Choice {
  /** The reference. */
  readonly value: string
  readonly label: string
}

const OFFERED = 20
const SHOWN_CHARACTERS = 80
const PAUSE_MS = 250

/**
 * Choices for a typed text, found by words, meaning or reference; before that the claims with most evidence, or the
 * Solutions in board order.
 */
export const useChoices = (type: Pickable, typed: string, without: readonly string[]) => {
  const [query] = useDebouncedValue(queryOf(typed), PAUSE_MS)
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
  // The first choices stay until results arrive: an empty list would lose the Enter of a fast person.
  const items = (query === '' ? null : found.data?.items) ?? first.data?.items ?? []
  const choices = items.flatMap(({ reference, title }): Choice[] =>
    reference === null || without.includes(reference)
      ? []
      : [{ value: reference, label: `${reference} ${clip(title, SHOWN_CHARACTERS)}` }],
  )
  return { choices, isReading: first.isPending || found.isFetching }
}
