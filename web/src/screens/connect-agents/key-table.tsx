import { Badge, Button, Table, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { When } from '../../parts/when.tsx'
import { notifyDone } from '../../shell/notify.tsx'

type Key = Output<'list_keys'>['items'][number]

interface Props {
  readonly keys: readonly Key[]
}

/** The keys of the workspace that the person may see: theirs, and for an owner everybody’s. */
export const KeyTable = ({ keys }: Props) => {
  const [leaving, setLeaving] = useState<Key | null>(null)
  if (keys.length === 0) {
    return (
      <EmptyState icon={IconKey} title="No agent is connected yet">
        Create a key above and give it to the agent: each gets one of its own, so that you can tell them apart.
      </EmptyState>
    )
  }
  return (
    <>
      <Table.ScrollContainer minWidth={620} type="native">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Label</Table.Th>
              <Table.Th>Ends in</Table.Th>
              <Table.Th>Created</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th ta="right">Work units, 30 days</Table.Th>
              <Table.Th aria-label="Delete" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map(key => (
              <KeyRow key={key.id} of={key} onDelete={() => setLeaving(key)} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <DeleteKey of={leaving} onClose={() => setLeaving(null)} />
    </>
  )
}

const KeyRow = ({ of: key, onDelete }: { readonly of: Key; readonly onDelete: () => void }) => (
  <Table.Tr>
    <Table.Td maw={220}>
      <Text component="bdi" size="sm" fw={550} truncate="end" display="block" title={key.label}>
        {key.label}
      </Text>
      {!key.is_own && (
        <Text size="xs" c="dimmed">
          of another member
        </Text>
      )}
      {key.scope === 'provisioning' && (
        <Badge size="sm" variant="light" color="gray" tt="none">
          provisioning
        </Badge>
      )}
    </Table.Td>
    <Table.Td ff="monospace">…{key.last_four}</Table.Td>
    <Table.Td>
      <When at={key.created_at} />
    </Table.Td>
    <Table.Td>{key.last_used_at === null ? 'never' : <When at={key.last_used_at} />}</Table.Td>
    <Table.Td ta="right">{key.work_units === null ? 'not known' : key.work_units.toLocaleString('en')}</Table.Td>
    <Table.Td ta="right">
      <Button size="compact-sm" variant="subtle" color="red" onClick={onDelete} aria-label={`Delete ${key.label}`}>
        Delete
      </Button>
    </Table.Td>
  </Table.Tr>
)

interface DeleteKeyProps {
  /** Null: nobody asked. */
  readonly of: Output<'list_keys'>['items'][number] | null
  readonly onClose: () => void
}

const DeleteKey = ({ of: key, onClose }: DeleteKeyProps) => {
  const deleting = useChange('delete_key', {
    invalidates: ['list_keys'],
    onSuccess: () => {
      notifyDone('The key is deleted.')
      onClose()
    },
  })
  return (
    <Confirm
      opened={key !== null}
      title="Delete this key?"
      action="Delete key"
      change={deleting}
      onConfirm={() => key !== null && deleting.mutate({ id: key.id })}
      onClose={onClose}
    >
      Agents that use <bdi>{key?.label}</bdi> lose access at once. This cannot be undone.
    </Confirm>
  )
}
