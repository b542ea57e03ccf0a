import { useState } from 'react'
import { MAX_REFERENCES } from '../../../schemas/domain/limits.ts'
import { t } from '../language/messages.ts'
import { MultiChoice } from './multi-choice.tsx'
import { type Pickable, useChoices } from './use-choices.ts'

const WORDS: Readonly<Record<Pickable, { readonly example: string; readonly none: string }>> = {
  claim: { example: t('Search by words or CLM-3'), none: t('No such claim') },
  solution: { example: t('Search by words or SOL-12'), none: t('No such Solution') },
}

interface Props {
  readonly type: Pickable
  readonly label: string
  readonly description?: string
  /** The chosen references. */
  readonly value: readonly string[]
  readonly onChange: (references: readonly string[]) => void
  /** References that are not offered. */
  readonly without?: readonly string[]
  /** True when the dialog's focus begins here. */
  readonly focused?: boolean
  /** Labels of references that are chosen from the start. */
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
    <MultiChoice
      label={label}
      description={description}
      placeholder={value.length === 0 ? WORDS[type].example : ''}
      searchable
      clearable
      hidePickedOptions
      maxValues={MAX_REFERENCES}
      nothingFoundMessage={isReading ? t('Reading…') : WORDS[type].none}
      // The service has filtered the options; it also finds by meaning.
      filter={({ options }) => options}
      data={[...chosen, ...choices.filter(each => !value.includes(each.value))]}
      value={value}
      onChange={choose}
      searchValue={typed}
      onSearchChange={setTyped}
      // A list that opened by itself with the dialog would lie over the fields below.
      {...(focused && { 'data-autofocus': true, openOnFocus: false })}
    />
  )
}
