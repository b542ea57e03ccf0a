import { Anchor, Button, Text, Title } from '@mantine/core'
import { useChange, useOperation } from '../../api/hooks.ts'
import { Problem } from '../../api/problem.ts'
import { chooseWorkspace } from '../../api/workspace.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { ROLE_MEANINGS } from '../members/roles.ts'
import { forgetInvitation } from './invitation-token.ts'

interface Props {
  readonly token: string
  /** Of who is signed in. */
  readonly email: string
}

/** What the invitation is for, and the button that accepts it. */
export const AcceptInvitation = ({ token, email }: Props) => {
  const { data, error, refetch } = useOperation('read_invitation', { token })
  const accepting = useChange('accept_invitation', {
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
