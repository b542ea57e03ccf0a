import { Anchor, Button, Center, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { readSession } from '../../api/accounts.ts'
import { useChange, useOperation } from '../../api/hooks.ts'
import { Problem } from '../../api/problem.ts'
import { chooseWorkspace } from '../../api/workspace.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { ROLE_MEANINGS } from '../members/roles.ts'
import { forgetInvitation, invitationToken } from './invitation-token.ts'

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

const BACK = `?back=${encodeURIComponent('/app/invitation')}`

/** For whoever is not signed in: an account first, which leads back here. */
const SignInFirst = () => (
  <>
    <Title order={1} mb="sm">
      You are invited to Assay
    </Title>
    <Text size="sm" c="dimmed" mb="lg">
      Sign in, or create an account, to see the workspace and join it. This browser tab keeps the invitation meanwhile.
    </Text>
    <Group gap="sm" grow>
      <Button component={Link} to={`/sign-up${BACK}`}>
        Create an account
      </Button>
      <Button component={Link} to={`/sign-in${BACK}`} variant="default">
        Sign in
      </Button>
    </Group>
  </>
)

interface AcceptInvitationProps {
  readonly token: string
  /** Of who is signed in. */
  readonly email: string
}

/** What the invitation is for, and the button that accepts it. */
const AcceptInvitation = ({ token, email }: AcceptInvitationProps) => {
  const { data, error, refetch } = useOperation('read_invitation', { token })
  const accepting = useChange('accept_invitation', {
    leavesPage: true,
    onSuccess: ({ workspace_id }) => {
      forgetInvitation()
      chooseWorkspace(workspace_id)
      // The app starts afresh in that workspace.
      location.assign('/app')
    },
  })
  if (data === undefined) {
    if (error === null) return <LoadingState rows={3} />
    return isInvalid(error) ? <Invalid error={error} /> : <ErrorState error={error} retry={refetch} />
  }
  const { workspace_name, role, invited_by_name, present_role } = data
  return (
    <>
      <Title order={1} mb="sm" style={{ overflowWrap: 'anywhere' }}>
        Join <bdi>{workspace_name}</bdi>
      </Title>
      <Text size="sm" c="dimmed" mb="lg">
        {present_role === null ? (
          <>
            <bdi>{invited_by_name}</bdi> invites you as {role}: {ROLE_MEANINGS[role].toLowerCase()}.
          </>
        ) : (
          `You are a member of it already, as ${present_role}.`
        )}{' '}
        You are signed in as <bdi>{email}</bdi>.
      </Text>
      {accepting.error !== null && <ErrorState error={accepting.error} title="You have not joined" />}
      <Button
        fullWidth
        mt="sm"
        loading={accepting.isPending || accepting.isSuccess}
        onClick={() => accepting.mutate({ token })}
        autoFocus
      >
        {present_role === null ? 'Join the workspace' : 'Open the workspace'}
      </Button>
    </>
  )
}

/** A link that is not whole is refused for its form, before anything is looked up. */
const isInvalid = (error: Problem): boolean => error.code === 'not_found' || error.code === 'invalid_input'

const NOT_WHOLE = new Problem({
  code: 'not_found',
  detail: 'This link is not complete. Copy all of it from the message that it came in.',
})

const Invalid = ({ error }: { readonly error: Problem }) => (
  <>
    <Title order={1} mb="md">
      This invitation cannot be used
    </Title>
    <ErrorState error={error.code === 'invalid_input' ? NOT_WHOLE : error} title="The link does not work" />
    <Anchor href="/app" size="sm" mt="md" display="block">
      Go to your own workspace
    </Anchor>
  </>
)
