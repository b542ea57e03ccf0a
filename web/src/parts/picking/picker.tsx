import { MultiSelect } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../language/messages.ts'
import { type Pickable, useChoices } from './use-choices.ts'

const MAX_CHOSEN = 50

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
      maxValues={MAX_CHOSEN}
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
