import { Badge, Button, Table, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { type Output, useChange } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Confirm } from '../../parts/change-dialog.tsx'
import { When } from '../../parts/inline.tsx'
import { QuietHead, ScrollingTable } from '../../parts/lists.tsx'
import { EmptyState } from '../../parts/states.tsx'
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
      <EmptyState icon={IconKey} heading="h3" title={t('No agent is connected yet')}>
        {t('Create a key above and give it to the agent: each gets one of its own, so that you can tell them apart.')}
      </EmptyState>
    )
  }
  return (
    <>
      <ScrollingTable minWidth={620} label={t('Keys')}>
        <Table aria-label={t('Keys')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Label')}</Table.Th>
              <Table.Th>{t('Ends in')}</Table.Th>
              <Table.Th>{t('Created')}</Table.Th>
              <Table.Th>{t('Last used')}</Table.Th>
              <Table.Th ta="end">{t('Work units, 30 days')}</Table.Th>
              <QuietHead label={t('Delete')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map(key => (
              <KeyRow key={key.id} of={key} onDelete={() => setLeaving(key)} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollingTable>
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
          {t('of another member')}
        </Text>
      )}
      {key.scope === 'provisioning' && (
        <Badge size="sm" variant="light" color="gray" tt="none">
          {t('provisioning')}
        </Badge>
      )}
    </Table.Td>
    <Table.Td ff="monospace">…{key.last_four}</Table.Td>
    <Table.Td>
      <When at={key.created_at} />
    </Table.Td>
    <Table.Td>{key.last_used_at === null ? t('never') : <When at={key.last_used_at} />}</Table.Td>
    <Table.Td ta="end">{key.work_units === null ? t('not known') : key.work_units.toLocaleString(language)}</Table.Td>
    <Table.Td ta="end">
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        onClick={onDelete}
        aria-label={t('Delete {label}', { label: key.label })}
      >
        {t('Delete')}
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
      notifyDone(t('The key is deleted.'))
      onClose()
    },
  })
  return (
    <Confirm
      opened={key !== null}
      title={t('Delete this key?')}
      action={t('Delete key')}
      change={deleting}
      onConfirm={() => key !== null && deleting.mutate({ id: key.id })}
      onClose={onClose}
    >
      {rich('Agents that use {label} lose access at once. This cannot be undone.', { label: <bdi>{key?.label}</bdi> })}
    </Confirm>
  )
}
