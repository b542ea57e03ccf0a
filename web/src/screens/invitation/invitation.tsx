import { Anchor, Button, Center, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { INVITATION_PATH } from '../../../../schemas/http/workspace-address.ts'
import { chooseWorkspace, forgetWorkspace, readInvitation, readSession } from '../../api/accounts.ts'
import { Problem } from '../../api/http.ts'
import { useChange } from '../../api/operations.ts'
import { inSentence, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { forgetInvitation, invitationToken } from '../account/account-page.tsx'
import { ROLE_MEANINGS } from '../members/roles.ts'

/** `/app/invitation#token`: where an invitation’s link leads, whoever opens it. */
const Invitation = () => {
  const [token] = useState(invitationToken)
  useEffect(() => {
    // It leads to another workspace than the one that this tab was in.
    forgetWorkspace()
    // Another link in this tab changes nothing but what is after the #.
    const startAnew = () => location.reload()
    addEventListener('hashchange', startAnew)
    return () => removeEventListener('hashchange', startAnew)
  }, [])
  const session = useQuery({ queryKey: ['session'], queryFn: readSession })
  const invitation = useQuery({ queryKey: ['invitation', token], queryFn: () => readInvitation(token) })
  const failed = [session, invitation].find(({ error }) => error !== null && !isInvalid(error))
  const isRead = session.data !== undefined && (invitation.data !== undefined || isInvalid(invitation.error))
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--app-raised)">
      <title>{t('Invitation · Assay')}</title>
      <Stack w="100%" maw={420}>
        <Paper withBorder p="lg" radius="lg" shadow="xs" bg="var(--app-ground)">
          {!isRead &&
            (failed === undefined ? (
              <LoadingState rows={3} />
            ) : (
              <ErrorState error={failed.error} retry={() => void failed.refetch()} />
            ))}
          {isRead && invitation.data === undefined && (
            <Invalid error={invitation.error} isSignedIn={session.data !== null} />
          )}
          {isRead && invitation.data !== undefined && (
            <>
              <Title order={1} mb="sm" style={{ overflowWrap: 'anywhere' }}>
                {rich('Join {workspace_name}', { workspace_name: <bdi>{invitation.data.workspace_name}</bdi> })}
              </Title>
              {session.data == null ? (
                <SignInFirst of={invitation.data} />
              ) : (
                <AcceptInvitation of={invitation.data} token={token} email={session.data.user.email} />
              )}
            </>
          )}
        </Paper>
      </Stack>
    </Center>
  )
}

export default Invitation

const BACK = `?back=${encodeURIComponent(INVITATION_PATH)}`

type Read = Awaited<ReturnType<typeof readInvitation>>

/** Who invites, and as what. */
const Invited = ({ of: { invited_by_name, role } }: { readonly of: Read }) =>
  rich('{invited_by_name} invites you as {role}: {role2}.', {
    invited_by_name: <bdi>{invited_by_name}</bdi>,
    role: word(role),
    role2: inSentence(ROLE_MEANINGS[role]),
  })

/** For whoever is not signed in: an account first, which leads back here. */
const SignInFirst = ({ of }: { readonly of: Read }) => (
  <>
    <Text size="sm" c="dimmed" mb="lg">
      <Invited of={of} />{' '}
      {t('Sign in, or create an account, to join. This browser tab keeps the invitation meanwhile.')}
    </Text>
    <SignInOrUp />
  </>
)

const SignInOrUp = () => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
    <Button component={Link} to={`/sign-up${BACK}`}>
      {t('Create an account')}
    </Button>
    <Button component={Link} to={`/sign-in${BACK}`} variant="default">
      {t('Sign in')}
    </Button>
  </SimpleGrid>
)

interface AcceptInvitationProps {
  readonly of: Read
  readonly token: string
  /** Of who is signed in. */
  readonly email: string
}

/** What the invitation is for, and the button that accepts it. */
const AcceptInvitation = ({ of, token, email }: AcceptInvitationProps) => {
  const accepting = useChange('accept_invitation', {
    leavesPage: true,
    onSuccess: ({ workspace_id }) => {
      forgetInvitation()
      chooseWorkspace(workspace_id)
      // The app starts afresh in that workspace.
      location.assign('/app')
    },
  })
  const { present_role } = of
  return (
    <>
      <Text size="sm" c="dimmed" mb="lg">
        {present_role === null ? (
          <Invited of={of} />
        ) : (
          t('You are a member of it already, as {present_role}.', { present_role: word(present_role) })
        )}{' '}
        {rich('You are signed in as {email}.', { email: <bdi>{email}</bdi> })}
      </Text>
      <FormFailure form={null} error={accepting.error} title={t('You have not joined')} />
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
const isInvalid = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'not_found' || error.code === 'invalid_input')

const NOT_WHOLE = new Problem({
  code: 'not_found',
  detail: t('This link is not complete. Copy all of it from the message that it came in.'),
})

interface InvalidProps {
  readonly error: unknown
  readonly isSignedIn: boolean
}

const Invalid = ({ error, isSignedIn }: InvalidProps) => (
  <>
    <Title order={1} mb="md">
      {t('This invitation cannot be used')}
    </Title>
    <ErrorState
      error={error instanceof Problem && error.code === 'invalid_input' ? NOT_WHOLE : error}
      title={t('The link does not work')}
    />
    <Anchor href={isSignedIn ? '/app' : '/sign-in'} size="sm" mt="md" display="block">
      {isSignedIn ? t('Go to your own workspace') : t('You joined by it before? Sign in')}
    </Anchor>
  </>
)
