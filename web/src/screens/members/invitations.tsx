import { Button, Table, Text, Title } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { useChange, useOperation } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { When } from '../../parts/when.tsx'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'

/** The invitations that somebody could still accept. */
export const Invitations = () => {
  const { data, error, refetch } = useOperation('list_invitations', {})
  if (data !== undefined && data.items.length === 0) return null
  return (
    <>
      <Title order={2} mt="xl" mb="sm">
        Invited
      </Title>
      {data !== undefined && <InvitationTable invitations={data.items} />}
      {data === undefined &&
        (error === null ? <LoadingState rows={1} /> : <ErrorState error={error} retry={refetch} />)}
    </>
  )
}

type Invitation = Output<'list_invitations'>['items'][number]

const InvitationTable = ({ invitations }: { readonly invitations: readonly Invitation[] }) => {
  const revoking = useChange('revoke_invitation', {
    invalidates: ['list_invitations'],
    onSuccess: () => notifyDone('The link is invalid from now on.'),
  })
  return (
    <Table.ScrollContainer minWidth={520} type="native" tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>For</Table.Th>
            <Table.Th w={150}>Role</Table.Th>
            <Table.Th w={120}>Expires</Table.Th>
            <Table.Th w={110} aria-label="Revoke" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map(({ id, label, role, invited_by_name, expires_at }) => (
            <Table.Tr key={id}>
              <Table.Td maw={260}>
                <Text component="bdi" size="sm" fw={550} truncate="end" display="block" title={label}>
                  {label}
                </Text>
                <Text size="xs" c="dimmed" truncate="end">
                  by <bdi>{invited_by_name}</bdi>
                </Text>
              </Table.Td>
              <Table.Td>{role}</Table.Td>
              <Table.Td>
                <When at={expires_at} />
              </Table.Td>
              <Table.Td ta="right">
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  loading={revoking.isPending && revoking.variables.id === id}
                  onClick={() => revoking.mutate({ id }, { onError: notifyFailed })}
                  aria-label={`Revoke the invitation of ${label}`}
                >
                  Revoke
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
