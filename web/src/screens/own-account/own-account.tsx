import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readSession } from '../../api/accounts.ts'
import { SESSION_KEY } from '../../api/own-account.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Deletion } from './deletion.tsx'
import { Email } from './email.tsx'
import { OwnName } from './own-name.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { Password } from './password.tsx'

/** Settings → Account: who the person is here, their password, and where they are signed in. */
const OwnAccount = () => {
  const { data: session, error, refetch } = useQuery({ queryKey: SESSION_KEY, queryFn: readSession })
  return (
    <Page width="reading">
      <PageHeader title="Account" about="Who you are here, in every workspace, and where you are signed in." />
      {session == null &&
        (error === null ? <LoadingState rows={4} height={48} /> : <ErrorState error={error} retry={refetch} />)}
      {session != null && (
        <Stack gap="xl">
          <OwnName key={session.user.name} name={session.user.name} />
          <Email email={session.user.email} />
          <Password />
          <OwnSessions />
          <Deletion email={session.user.email} />
        </Stack>
      )}
    </Page>
  )
}

export default OwnAccount
