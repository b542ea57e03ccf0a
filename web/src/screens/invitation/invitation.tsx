import { Center, Paper, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readSession } from '../../api/accounts.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { AcceptInvitation } from './accept-invitation.tsx'
import { invitationToken } from './invitation-token.ts'
import { SignInFirst } from './sign-in-first.tsx'

/** `/app/invitation#token`: where an invitation’s link leads, whoever opens it. */
const Invitation = () => {
  const [token] = useState(invitationToken)
  // Another link in this tab changes nothing but what is after the #.
  useEffect(() => {
    const startAnew = () => location.reload()
    addEventListener('hashchange', startAnew)
    return () => removeEventListener('hashchange', startAnew)
  }, [])
  const { data: session, error, refetch } = useQuery({ queryKey: ['session'], queryFn: readSession })
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--app-raised)">
      <title>Invitation · Assay</title>
      <Stack w="100%" maw={420}>
        <Paper withBorder p="lg" radius="lg" shadow="xs" bg="var(--app-ground)">
          {session === undefined &&
            (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
          {session === null && <SignInFirst />}
          {session != null && <AcceptInvitation token={token} email={session.user.email} />}
        </Paper>
      </Stack>
    </Center>
  )
}

export default Invitation
