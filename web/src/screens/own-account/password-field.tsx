import { PasswordInput } from '@mantine/core'
import { MIN_PASSWORD_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { t } from '../../language/messages.ts'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Whether it is one that the person chooses now. */
  readonly isNew?: boolean
}

/** The least that the account library takes; it says so itself where a browser does not. */

export const PasswordField = ({ label, value, onChange, isNew = false }: Props) => (
  <PasswordInput
    label={label}
    autoComplete={isNew ? 'new-password' : 'current-password'}
    required
    withAsterisk={false}
    {...(isNew && {
      minLength: MIN_PASSWORD_CHARACTERS,
      description: t('At least {min_password_characters} characters.', {
        min_password_characters: MIN_PASSWORD_CHARACTERS,
      }),
    })}
    value={value}
    onChange={event => onChange(event.currentTarget.value)}
    w={360}
    maw="100%"
    visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
  />
)
