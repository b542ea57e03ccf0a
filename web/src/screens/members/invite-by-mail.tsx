import { TextInput } from '@mantine/core'
import { useOperation } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'

/** Whether the installation has a mail server; while that is not known, no. */
export const useSendsMail = (): boolean => {
  const { data } = useOperation('inspect_dependencies', {})
  const mail = data?.items.find(({ name }) => name === 'mail')
  return mail !== undefined && mail.state !== 'not_configured'
}

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
}

export const InvitedAddress = ({ value, onChange }: Props) => (
  <TextInput
    label={t('E-mail')}
    description={t('The link is sent there. May be left out.')}
    type="email"
    autoComplete="off"
    maxLength={254}
    value={value}
    onChange={event => onChange(event.currentTarget.value)}
    flex={1}
    miw={220}
  />
)

/** How the link of an invitation gets to the person. */
export const HowSent = ({ to }: { readonly to: string | null }) =>
  to === null
    ? t('Send it yourself: it is shown this once.')
    : rich('It is on its way to {to}. You can send it yourself too: it is shown this once.', { to: <bdi>{to}</bdi> })
