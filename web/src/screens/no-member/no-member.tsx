import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { forgetWorkspace, readSession, signOut } from '../../api/accounts.ts'
import { useWrite } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { AccountFrame } from '../account/account-page.tsx'

/** Where an address leads into a workspace that the person is no member of, or that is not there. */
const NoMember = () => {
  const { data: session } = useQuery({ queryKey: ['session'], queryFn: readSession })
  const leaving = useWrite(() => signOut(`${location.pathname}${location.search}`), { leavesPage: true })
  const toOwn = () => {
    forgetWorkspace()
    location.assign('/app')
  }
  return (
    <AccountFrame
      title={t('You are not a member of this workspace')}
      about={t('The address that you opened is of a workspace that you are not in, or that is gone.')}
    >
      <Stack gap="sm">
        <Text size="sm">
          {session != null && rich('You are signed in as {email}.', { email: <bdi>{session.user.email}</bdi> })}{' '}
          {t(
            'Ask whoever gave you the address, or an owner of the workspace, to invite you. If another account of yours is a member, sign in with that one.',
          )}
        </Text>
        <FormFailure form={null} error={leaving.error} title={t('You are not signed out')} />
        <Button onClick={toOwn}>{t('Go to your own workspace')}</Button>
        <Button variant="default" loading={leaving.isPending || leaving.isSuccess} onClick={() => leaving.mutate({})}>
          {t('Sign in with another account')}
        </Button>
      </Stack>
    </AccountFrame>
  )
}

export default NoMember
