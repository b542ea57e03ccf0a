import { Button, type ButtonProps, Text, TextInput, type TextInputProps, Tooltip } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { moments, t } from '../language/messages.ts'

interface Props extends ButtonProps {
  /** The missing input as a sentence; null when nothing is missing. */
  readonly missing: string | null
  /** The row that it is of, where each has one; what is missing is said behind it. */
  readonly 'aria-description'?: string
  readonly type?: 'submit' | 'button'
  readonly onClick?: () => void
}

const stop = (event: MouseEvent) => event.preventDefault()

/**
 * A button that shows what is missing while it is disabled: to a pointer, a finger, the keyboard and a screen reader.
 */
export const TellingButton = ({ missing, onClick, 'aria-description': row, ...button }: Props) =>
  missing === null ? (
    <Button
      {...button}
      {...(onClick !== undefined && { onClick })}
      {...(row !== undefined && { 'aria-description': row })}
    />
  ) : (
    <Tooltip label={missing} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...button}
        data-disabled
        aria-disabled
        aria-description={row === undefined ? missing : `${row}: ${missing}`}
        onClick={stop}
      />
    </Tooltip>
  )

/** False for the second click of a double click: by then another item may be under the pointer. */
export const isFirstClick = ({ detail }: Pick<MouseEvent, 'detail'>): boolean => detail < 2

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** `''` before anything is written. */
  readonly value: number | string
  readonly onChange: (value: number | '') => void
}

/** The browser's number field: it reads and steps numbers in the person's regional format. */
export const NumberField = ({ value, onChange, ...props }: NumberFieldProps) => (
  <TextInput
    step="any"
    {...props}
    type="number"
    value={value}
    onChange={({ currentTarget: { valueAsNumber } }) => onChange(Number.isNaN(valueAsNumber) ? '' : valueAsNumber)}
  />
)

/** Address field of the person's own account. */
export const EmailBox = (props: TextInputProps) => (
  <TextInput
    label={t('E-mail')}
    name="email"
    type="email"
    autoComplete="email"
    required
    withAsterisk={false}
    {...props}
  />
)

/** Prints the screen without `data-chrome`, with the date instead: nothing else on paper shows it. */
export const PrintButton = () => (
  <>
    <Button size="sm" variant="default" leftSection={<IconPrinter size={16} />} onClick={() => print()} data-chrome>
      {t('Print')}
    </Button>
    <Text size="sm" c="dimmed" data-printed>
      {new Date().toLocaleDateString(moments, { dateStyle: 'long' })}
    </Text>
  </>
)
