import { Anchor, Button, Center, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { chooseWorkspace, readSession } from '../../api/accounts.ts'
import { Problem } from '../../api/http.ts'
import { useChange, useOperation } from '../../api/operations.ts'
import { inSentence, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { forgetInvitation, invitationToken } from '../account/account-page.tsx'
import { ROLE_MEANINGS } from '../members/roles.ts'

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
      <title>{t('Invitation · Assay')}</title>
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
      {t('You are invited to Assay')}
    </Title>
    <Text size="sm" c="dimmed" mb="lg">
      {t(
        'Sign in, or create an account, to see the workspace and join it. This browser tab keeps the invitation meanwhile.',
      )}
    </Text>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Button component={Link} to={`/sign-up${BACK}`}>
        {t('Create an account')}
      </Button>
      <Button component={Link} to={`/sign-in${BACK}`} variant="default">
        {t('Sign in')}
      </Button>
    </SimpleGrid>
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
        {rich('Join {workspace_name}', { workspace_name: <bdi>{workspace_name}</bdi> })}
      </Title>
      <Text size="sm" c="dimmed" mb="lg">
        {present_role === null
          ? rich('{invited_by_name} invites you as {role}: {role2}.', {
              invited_by_name: <bdi>{invited_by_name}</bdi>,
              role: word(role),
              role2: inSentence(ROLE_MEANINGS[role]),
            })
          : t('You are a member of it already, as {present_role}.', { present_role: word(present_role) })}{' '}
        {rich('You are signed in as {email}.', { email: <bdi>{email}</bdi> })}
      </Text>
      {accepting.error !== null && <ErrorState error={accepting.error} title={t('You have not joined')} />}
      <Button
        fullWidth
        mt="sm"
        loading={accepting.isPending || accepting.isSuccess}
        onClick={() => accepting.mutate({ token })}
        autoFocus
      >
        {present_role === null ? t('Join the workspace') : t('Open the workspace')}
      </Button>
    </>
  )
}

/** A link that is not whole is refused for its form, before anything is looked up. */
const isInvalid = (error: Problem): boolean => error.code === 'not_found' || error.code === 'invalid_input'

const NOT_WHOLE = new Problem({
  code: 'not_found',
  detail: t('This link is not complete. Copy all of it from the message that it came in.'),
})

const Invalid = ({ error }: { readonly error: Problem }) => (
  <>
    <Title order={1} mb="md">
      {t('This invitation cannot be used')}
    </Title>
    <ErrorState error={error.code === 'invalid_input' ? NOT_WHOLE : error} title={t('The link does not work')} />
    <Anchor href="/app" size="sm" mt="md" display="block">
      {t('Go to your own workspace')}
    </Anchor>
  </>
)
