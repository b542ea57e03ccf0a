import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Confirm } from '../../parts/change-dialog.tsx'
import { moment } from '../../parts/formats.ts'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import { kindOf } from './kinds.ts'
import type { Revealed } from './revealed-source.tsx'
import { SendersSecret } from './senders-secret.tsx'
import type { Source } from './source-table.tsx'

interface Props {
  readonly source: Source
  readonly onRevealed: (revealed: Revealed) => void
  readonly onDeleted: () => void
}

/**
 * Pause, renew, delete. A sender that repeats what it was refused loses nothing by a pause, so that nobody is asked
 * twice.
 */
export const SourceActions = ({ source, onRevealed, onDeleted }: Props) => {
  const [dialog, setDialog] = useState<'renew' | 'delete' | null>(null)
  const { id, version, paused_at } = source
  const hasSecret = kindOf(source).reachedBy === 'post'
  const pausing = useChange('update_source', { invalidates: ['list_sources', 'source_health'] })
  const close = () => setDialog(null)
  return (
    <Group gap="sm">
      <Button
        variant="default"
        size="xs"
        loading={pausing.isPending}
        onClick={() => pausing.mutate({ id, paused: paused_at === null, version }, { onError: notifyFailed })}
      >
        {paused_at === null ? t('Pause') : t('Resume')}
      </Button>
      <Button variant="default" size="xs" onClick={() => setDialog('renew')}>
        {hasSecret ? t('Rotate secret') : t('Replace address')}
      </Button>
      <Button variant="light" color="red" size="xs" onClick={() => setDialog('delete')}>
        {t('Delete source')}
      </Button>
      {hasSecret ? (
        <RotateSecret source={source} opened={dialog === 'renew'} onClose={close} onRevealed={onRevealed} />
      ) : (
        <ReplaceAddress source={source} opened={dialog === 'renew'} onClose={close} onRevealed={onRevealed} />
      )}
      <DeleteSource source={source} opened={dialog === 'delete'} onClose={close} onDeleted={onDeleted} />
    </Group>
  )
}

interface AskProps {
  readonly source: Source
  readonly opened: boolean
  readonly onClose: () => void
}

const RotateSecret = ({ source, opened, onClose, onRevealed }: AskProps & Pick<Props, 'onRevealed'>) => {
  const [secret, setSecret] = useState('')
  const { previous_secret_valid_until: until } = source
  const rotating = useChange('rotate_source_secret', {
    invalidates: ['list_sources'],
    onSuccess: rotated => {
      setSecret('')
      onClose()
      const isLost = rotated.secret === null && secret.trim() === ''
      onRevealed({ title: t('Secret rotated'), source: rotated, isLost })
    },
  })
  return (
    <Confirm
      opened={opened}
      title={t('Rotate the secret?')}
      action={t('Rotate secret')}
      change={rotating}
      onConfirm={() => rotating.mutate({ id: source.id, ...(secret.trim() !== '' && { secret: secret.trim() }) })}
      onClose={onClose}
    >
      {rich('{name} gets a new secret. The present one stays valid for 24 hours.', { name: <bdi>{source.name}</bdi> })}
      {until !== null && Date.parse(until) > Date.now() && (
        <Text size="sm" fw={550} mt="xs">
          {t(
            'It was rotated lately. Senders that still use the secret before the present one are refused at once, and not only from {value} on.',
            { value: moment(until) },
          )}
        </Text>
      )}
      {source.kind === 'connection' && <SendersSecret value={secret} onChange={setSecret} />}
    </Confirm>
  )
}

const ReplaceAddress = ({ source, opened, onClose, onRevealed }: AskProps & Pick<Props, 'onRevealed'>) => {
  const replacing = useChange('replace_ingestion_address', {
    invalidates: ['list_sources'],
    onSuccess: replaced => {
      onClose()
      onRevealed({ title: t('Address replaced'), source: replaced })
    },
  })
  return (
    <Confirm
      opened={opened}
      title={t('Replace the address?')}
      action={t('Replace address')}
      change={replacing}
      onConfirm={() => replacing.mutate({ id: source.id })}
      onClose={onClose}
    >
      {rich('Mail to the present address of {name} is refused within seconds, for good.', {
        name: <bdi>{source.name}</bdi>,
      })}
    </Confirm>
  )
}

const DeleteSource = ({ source, opened, onClose, onDeleted }: AskProps & Pick<Props, 'onDeleted'>) => {
  const deleting = useChange('delete_source', {
    invalidates: ['list_sources', 'orient_snapshot'],
    onSuccess: () => {
      notifyDone(t('The source is deleted.'))
      onDeleted()
    },
  })
  return (
    <Confirm
      opened={opened}
      title={t('Delete this source?')}
      action={t('Delete source')}
      change={deleting}
      onConfirm={() => deleting.mutate({ id: source.id })}
      onClose={onClose}
    >
      {rich('Senders to {name} are refused within seconds, for good. The signals that came through it stay.', {
        name: <bdi>{source.name}</bdi>,
      })}
    </Confirm>
  )
}
