import type { Output } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notifyDone } from '../../shell/notify.tsx'

interface Props {
  /** Null: nobody asked. */
  readonly of: Output<'list_keys'>['items'][number] | null
  readonly onClose: () => void
}

export const DeleteKey = ({ of: key, onClose }: Props) => {
  const deleting = useChange('delete_key', {
    invalidates: ['list_keys'],
    onSuccess: () => {
      notifyDone('The key is deleted.')
      onClose()
    },
  })
  const close = () => {
    deleting.reset()
    onClose()
  }
  return (
    <Confirm
      opened={key !== null}
      title="Delete this key?"
      action="Delete key"
      pending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => key !== null && deleting.mutate({ id: key.id })}
      onClose={close}
    >
      Agents that use <bdi>{key?.label}</bdi> lose access at once. This cannot be undone.
    </Confirm>
  )
}
