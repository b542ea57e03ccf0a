import { Button, List, Text } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useOperation } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Section } from '../workspace/section.tsx'
import { DeleteAccount } from './delete-account.tsx'

/** What deleting the account would do, before anybody is asked. */
export const Deletion = ({ email }: { readonly email: string }) => {
  const [dialog, setDialog] = useState(false)
  const { data, error, refetch } = useOperation('preview_account_deletion', {})
  const refused = data !== undefined && (data.hand_over.length > 0 || data.last_administrator)
  return (
    <Section
      title="Delete the account"
      about="Your sessions, memberships, keys and open invitations go at once. What you wrote in workspaces of others stays, under your name."
    >
      {data === undefined &&
        (error === null ? <LoadingState rows={1} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && <Consequences of={data} />}
      <Button color="red.9" variant="outline" disabled={data === undefined || refused} onClick={() => setDialog(true)}>
        Delete account
      </Button>
      {dialog && <DeleteAccount email={email} onClose={() => setDialog(false)} />}
    </Section>
  )
}

const Consequences = ({
  of: { hand_over, deleted, last_administrator },
}: {
  readonly of: Output<'preview_account_deletion'>
}) => (
  <>
    {last_administrator && (
      <Text size="sm" mb="sm">
        You are the only administrator: make somebody else one first, under Settings → Installation.
      </Text>
    )}
    <Workspaces
      of={hand_over}
      about="Others work there and you are the only owner. Make one of them an owner first, under Settings → Members:"
    />
    <Workspaces of={deleted} about="Nobody else is in these. They are deleted with everything in them, for good:" />
  </>
)

interface WorkspacesProps {
  readonly of: readonly { readonly id: string; readonly name: string }[]
  readonly about: string
}

const Workspaces = ({ of: workspaces, about }: WorkspacesProps) =>
  workspaces.length > 0 && (
    <>
      <Text size="sm">{about}</Text>
      <List size="sm" mb="sm">
        {workspaces.map(({ id, name }) => (
          <List.Item key={id}>
            <bdi>{name}</bdi>
          </List.Item>
        ))}
      </List>
    </>
  )
