import { TextInput, type TextInputProps } from '@mantine/core'

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** `''`: nothing is written yet. */
  readonly value: number | string
  readonly onChange: (value: number | '') => void
}

/** A field for a number, the browser’s own: it reads and steps numbers as the person’s region writes them. */
export const NumberField = ({ value, onChange, ...props }: Props) => (
  <TextInput
    step="any"
    {...props}
    type="number"
    value={value}
    onChange={({ currentTarget: { valueAsNumber } }) => onChange(Number.isNaN(valueAsNumber) ? '' : valueAsNumber)}
  />
)
