import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { MAX_REFERENCES } from '../../../schemas/domain/limits.ts'
import { useOperation } from '../api/operations.ts'
import { t } from '../language/messages.ts'
import { clip, queryOf } from './formats.ts'

/** What can be chosen by its reference. */
type Pickable = 'claim' | 'solution'

interface Choice {
  /** The reference. */
  readonly value: string
  readonly label: string
}

const OFFERED = 20
const SHOWN_CHARACTERS = 80
const PAUSE_MS = 250

/**
 * What is offered for what somebody types, found by words, meaning or reference; until then the claims with the most
 * evidence, or the Solutions in board order.
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
  // Until something is found the first ones stay: an empty list would swallow the Enter of whoever is quicker.
  const items = (query === '' ? null : found.data?.items) ?? first.data?.items ?? []
  const choices = items.flatMap(({ reference, title }): Choice[] =>
    reference === null || without.includes(reference)
      ? []
      : [{ value: reference, label: `${reference} ${clip(title, SHOWN_CHARACTERS)}` }],
  )
  return { choices, isReading: first.isPending || found.isFetching }
}

const WORDS: Readonly<Record<Pickable, { readonly example: string; readonly none: string }>> = {
  claim: { example: t('Search by words or CLM-3'), none: t('No such claim') },
  solution: { example: t('Search by words or SOL-12'), none: t('No such Solution') },
}

interface Props {
  readonly type: Pickable
  readonly label: string
  readonly description?: string
  /** The references chosen. */
  readonly value: readonly string[]
  readonly onChange: (references: readonly string[]) => void
  /** References that are not offered. */
  readonly without?: readonly string[]
  /** Whether a dialog that shows it begins there. */
  readonly focused?: boolean
  /** What references are called that are chosen from the start. */
  readonly named?: Readonly<Record<string, string>>
}

/** Chooses claims or Solutions. */
export const Picker = ({
  type,
  label,
  description,
  value,
  onChange,
  without = [],
  focused = false,
  named = {},
}: Props) => {
  const [typed, setTyped] = useState('')
  const [names, setNames] = useState(named)
  const { choices, isReading } = useChoices(type, typed, without)
  const chosen = value.map(reference => ({ value: reference, label: names[reference] ?? reference }))
  const choose = (references: readonly string[]) => {
    const known = Object.fromEntries([...choices, ...chosen].map(each => [each.value, each.label]))
    setNames({ ...names, ...known })
    onChange(references)
  }
  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder={value.length === 0 ? WORDS[type].example : ''}
      searchable
      clearable
      hidePickedOptions
      maxValues={MAX_REFERENCES}
      nothingFoundMessage={isReading ? t('Reading…') : WORDS[type].none}
      // What the service found is what fits: it also finds by meaning.
      filter={({ options }) => options}
      data={[...chosen, ...choices.filter(each => !value.includes(each.value))]}
      value={[...value]}
      onChange={choose}
      searchValue={typed}
      onSearchChange={setTyped}
      {...(focused && { 'data-autofocus': true })}
    />
  )
}
