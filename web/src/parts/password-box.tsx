import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { MIN_PASSWORD_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { t } from '../language/messages.ts'

interface Props extends PasswordInputProps {
  /** Whether it is one that the person chooses now. */
  readonly isNew?: boolean
}

/**
 * Where a password is written. One that is too long is refused by the service, with a sentence: a browser would cut it off without one.
 */
export const PasswordBox = ({ isNew = false, ...props }: Props) => (
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
