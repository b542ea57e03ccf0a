import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { MIN_PASSWORD_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { t } from '../language/messages.ts'

interface PasswordBoxProps extends PasswordInputProps {
  /** True for a password that the person chooses now. */
  readonly isNew?: boolean
}

/** Password field. The service refuses a long password with a sentence; a browser's limit would cut it silently. */
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
    visibilityToggleFocusable
    visibilityToggleButtonProps={{
      'aria-label': t('Show password'),
      // A page may have several password fields: the button names its own.
      ...(typeof props.label === 'string' && { 'aria-description': props.label }),
    }}
    {...props}
  />
)
