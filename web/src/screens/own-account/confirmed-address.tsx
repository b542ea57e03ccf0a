import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useAccountChange } from '../../api/own-account.ts'
import { readPasswordReset } from '../../api/password-reset.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { notifyDone } from '../../shell/notify.tsx'

export const NO_MAIL = t('No mail is sent to it, so write a new one carefully.')
export const CONFIRMED_BY_MAIL = t('A new one holds once you have opened the link that is sent to it.')

/** Whether this installation sends links by mail. */
export const useMailedLinks = (): boolean =>
  useQuery({ queryKey: ['password-reset'], queryFn: readPasswordReset }).data?.by === 'mail'

/** The service says the same of an address that is taken. */
export const MailedTo = ({ email, wanted }: { readonly email: string; readonly wanted: string }) => (
  <Alert mt="sm" variant="light" role="status" color="teal">
    {rich(
      'If the address can be used, a mail is on its way to {wanted}. Open the link in it, in this browser; until then you sign in with {email}.',
      { wanted: <bdi>{wanted}</bdi>, email: <bdi>{email}</bdi> },
    )}
  </Alert>
)

/** For an address that nobody has shown to be theirs yet. */
export const Unconfirmed = ({ email }: { readonly email: string }) => {
  const sending = useAccountChange<object>('send-verification-email', {
    onSuccess: () => notifyDone(t('A mail with a link is on its way to you.')),
  })
  return (
    <>
      <Group gap="sm" mb="sm">
        <Text size="sm">{rich('You have not confirmed {email} yet.', { email: <bdi>{email}</bdi> })}</Text>
        <Button size="compact-sm" variant="default" loading={sending.isPending} onClick={() => sending.mutate({})}>
          {t('Send the link again')}
        </Button>
      </Group>
      {sending.error !== null && <ErrorState error={sending.error} title={t('No mail was sent')} />}
    </>
  )
}
