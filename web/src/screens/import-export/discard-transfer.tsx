import { useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { Confirm } from '../../parts/change-dialog.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import type { Transfer } from './transfer.tsx'

interface Props {
  readonly of: Transfer
  /** What stays, and what cannot be done then. */
  readonly about: string
  readonly opened: boolean
  readonly onClose: () => void
  readonly onDiscarded?: () => void
}

/** Asks before a file, or the entry of one, is deleted: nothing brings it back. */
export const DiscardTransfer = ({ of: { id, name }, about, opened, onClose, onDiscarded }: Props) => {
  const discarding = useChange('discard_transfer', {
    invalidates: ['list_transfers'],
    onSuccess: () => {
      notifyDone(t('The entry and its file are deleted.'))
      onDiscarded?.()
    },
  })
  return (
    <Confirm
      opened={opened}
      title={t('Delete {name}?', { name })}
      action={t('Delete file')}
      change={discarding}
      onConfirm={() => discarding.mutate({ id })}
      onClose={onClose}
    >
      {about}
    </Confirm>
  )
}
