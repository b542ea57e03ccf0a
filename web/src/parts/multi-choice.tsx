import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { language, t } from '../language/messages.ts'
import { say } from '../shell/say.ts'

const lists = new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' })

/** What is chosen, in a sentence: the field itself has only what is typed, and what is chosen is beside it. */
export const chosenOf = (names: readonly string[]): string =>
  names.length === 0 ? t('Nothing is chosen.') : t('Chosen: {names}', { names: lists.format(names) })

interface Choice {
  readonly value: string
  readonly label: string
}

interface Props extends Omit<MultiSelectProps, 'data' | 'value' | 'onChange'> {
  readonly data: readonly Choice[]
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
}

/** Several of a list. A screen reader is told what is chosen, and what that is after each change. */
export const MultiChoice = ({ data, value, onChange, ...props }: Props) => {
  const labels = new Map(data.map(each => [each.value, each.label]))
  const namesOf = (values: readonly string[]) => values.map(each => labels.get(each) ?? each)
  return (
    <MultiSelect
      {...props}
      aria-description={chosenOf(namesOf(value))}
      data={[...data]}
      value={[...value]}
      onChange={chosen => {
        onChange(chosen)
        say(chosenOf(namesOf(chosen)))
      }}
    />
  )
}
