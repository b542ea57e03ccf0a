import {
  Button,
  type ButtonProps,
  PasswordInput,
  type PasswordInputProps,
  Text,
  TextInput,
  type TextInputProps,
  Tooltip,
} from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { MIN_PASSWORD_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { moments, t } from '../language/messages.ts'

interface Props extends ButtonProps {
  /** Why nothing can be done yet, in a sentence. Null: it can. */
  readonly missing: string | null
  readonly type?: 'submit' | 'button'
  readonly onClick?: () => void
}

const stop = (event: MouseEvent) => event.preventDefault()

/**
 * A button that says what is missing while it can do nothing: to a pointer, a finger, the keyboard and a screen reader.
 */
export const TellingButton = ({ missing, onClick, ...button }: Props) =>
  missing === null ? (
    <Button {...button} {...(onClick !== undefined && { onClick })} />
  ) : (
    <Tooltip label={missing} events={{ hover: true, focus: true, touch: true }}>
      <Button {...button} data-disabled aria-disabled aria-description={missing} onClick={stop} />
    </Tooltip>
  )

/**
 * Whether a click is not the second one of a double click: what it decides on would be what came under the pointer by
 * the first.
 */
export const isFirstClick = ({ detail }: Pick<MouseEvent, 'detail'>): boolean => detail < 2

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** `''`: nothing is written yet. */
  readonly value: number | string
  readonly onChange: (value: number | '') => void
}

/** A field for a number, the browser’s own: it reads and steps numbers as the person’s region writes them. */
export const NumberField = ({ value, onChange, ...props }: NumberFieldProps) => (
  <TextInput
    step="any"
    {...props}
    type="number"
    value={value}
    onChange={({ currentTarget: { valueAsNumber } }) => onChange(Number.isNaN(valueAsNumber) ? '' : valueAsNumber)}
  />
)

/** Where a person writes the address of their own account. */
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

interface PasswordBoxProps extends PasswordInputProps {
  /** Whether it is one that the person chooses now. */
  readonly isNew?: boolean
}

/**
 * Where a password is written. One that is too long is refused by the service, with a sentence: a browser would cut it
 * off without one.
 */
export const PasswordBox = ({ isNew = false, ...props }: PasswordBoxProps) => (
  <PasswordInput
    autoComplete={isNew ? 'new-password' : 'current-password'}
    required
    withAsterisk={false}
    {...(isNew && {
      minLength: MIN_PASSWORD_CHARACTERS,
      description: t('At least {min_password_characters} characters.', {
        min_password_characters: MIN_PASSWORD_CHARACTERS,
      }),
    })}
    visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
    {...props}
  />
)

/**
 * Prints the screen, of which `data-chrome` is left out, with the day in its place: on paper nothing else says when it
 * was so.
 */
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
