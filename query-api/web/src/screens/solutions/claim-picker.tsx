import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useOperation } from '../../api/hooks.ts'
import { clip } from '../../parts/clip.ts'

const MOST_CHARACTERS = 80
const PAUSE_MS = 250
const MOST_CHOSEN = 50

interface Props {
  readonly label: string
  /** References of the claims chosen. */
  readonly value: readonly string[]
  readonly onChange: (references: readonly string[]) => void
  /** References that are not offered. */
  readonly without?: readonly string[]
}

/** Chooses claims: those with the most evidence, or found by words, meaning or reference. */
export const ClaimPicker = ({ label, value, onChange, without = [] }: Props) => {
  const [typed, setTyped] = useState('')
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const [query] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const first = useOperation('analyze_claims', { states: ['emerging', 'established'], limit: 20 })
  const found = useOperation(
    'lookup_search',
    { query, types: ['claim'], depth: 'summary', limit: 20 },
    { enabled: query !== '', keep: true },
  )
  const claims = (query === '' ? first.data?.items : found.data?.items) ?? []
  const offered = claims.flatMap(({ reference, title }) =>
    reference === null || without.includes(reference) ? [] : [{ value: reference, label: labelOf(reference, title) }],
  )
  const chosen = value.map(reference => ({ value: reference, label: names[reference] ?? reference }))
  const choose = (references: readonly string[]) => {
    const known = Object.fromEntries([...offered, ...chosen].map(each => [each.value, each.label]))
    setNames({ ...names, ...known })
    onChange(references)
  }
  return (
    <MultiSelect
      label={label}
      description="The problems and Opportunities that it answers; their evidence places it on the board."
      placeholder={value.length === 0 ? 'Search by words or CLM-3' : ''}
      searchable
      clearable
      hidePickedOptions
      maxValues={MOST_CHOSEN}
      nothingFoundMessage={found.isFetching || first.isPending ? 'Reading…' : 'No such claim'}
      // What the service found is what fits: it also finds by meaning.
      filter={({ options }) => options}
      data={[...chosen, ...offered.filter(each => !value.includes(each.value))]}
      value={[...value]}
      onChange={choose}
      searchValue={typed}
      onSearchChange={setTyped}
    />
  )
}

const labelOf = (reference: string, title: string): string => `${reference} ${clip(title, MOST_CHARACTERS)}`
