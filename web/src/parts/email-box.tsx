import { TextInput, type TextInputProps } from '@mantine/core'
import { t } from '../language/messages.ts'

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
