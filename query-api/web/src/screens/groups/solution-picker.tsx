import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { SOLUTION_STATES } from '../../../../../schemas/domain/vocabulary.ts'
import { useOperation } from '../../api/hooks.ts'
import { clip } from '../../parts/clip.ts'

const MOST_CHARACTERS = 80
const PAUSE_MS = 250
/** As many as one change of a group takes. */
const MOST_CHOSEN = 50

interface Props {
  /** References of the Solutions chosen. */
  readonly value: readonly string[]
  readonly onChange: (references: readonly string[]) => void
  /** References that are not offered. */
  readonly without?: readonly string[]
  readonly focused?: boolean
}

/** Chooses Solutions: the first of the board, or found by words, meaning or reference. */
export const SolutionPicker = ({ value, onChange, without = [], focused = false }: Props) => {
  const [typed, setTyped] = useState('')
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const [query] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const first = useOperation('lookup_backlog', { states: [...SOLUTION_STATES], depth: 'summary', limit: 10 })
  const found = useOperation(
    'lookup_search',
    { query, types: ['solution'], depth: 'summary', limit: 20 },
    { enabled: query !== '', keep: true },
  )
  const solutions = (query === '' ? first.data?.items : found.data?.items) ?? []
  const offered = solutions.flatMap(({ reference, title }) =>
    reference === null || without.includes(reference)
      ? []
      : [{ value: reference, label: `${reference} ${clip(title, MOST_CHARACTERS)}` }],
  )
  const chosen = value.map(reference => ({ value: reference, label: names[reference] ?? reference }))
  const choose = (references: readonly string[]) => {
    const known = Object.fromEntries([...offered, ...chosen].map(each => [each.value, each.label]))
    setNames({ ...names, ...known })
    onChange(references)
  }
  return (
    <MultiSelect
      label="Solutions"
      placeholder={value.length === 0 ? 'Search by words or SOL-3' : ''}
      searchable
      clearable
      hidePickedOptions
      maxValues={MOST_CHOSEN}
      nothingFoundMessage={found.isFetching || first.isPending ? 'Reading…' : 'No such Solution'}
      // What the service found is what fits: it also finds by meaning.
      filter={({ options }) => options}
      data={[...chosen, ...offered.filter(each => !value.includes(each.value))]}
      value={[...value]}
      onChange={choose}
      searchValue={typed}
      onSearchChange={setTyped}
      {...(focused && { 'data-autofocus': true })}
    />
  )
}
