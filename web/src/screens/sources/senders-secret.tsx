import { PasswordInput } from '@mantine/core'
import { t } from '../../language/messages.ts'

interface Props {
  readonly value: string
  readonly onChange: (secret: string) => void
}

/** The secret of a vendor that has one already, such as one that sends by Svix. */
export const SendersSecret = ({ value, onChange }: Props) => (
  <PasswordInput
    label={t('Secret that the sender has already')}
    description={t('It begins with whsec_. Left empty, a new one is made.')}
    autoComplete="off"
    value={value}
    onChange={event => onChange(event.currentTarget.value)}
    visibilityToggleFocusable
    visibilityToggleButtonProps={{ 'aria-label': t('Show what is written') }}
  />
)
