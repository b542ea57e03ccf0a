import type { Output } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { forgetWorkspace } from '../../api/workspace.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notifyDone } from '../../shell/notify.tsx'

interface Props {
  /** Null: nobody asked. */
  readonly of: Output<'list_members'>['items'][number] | null
  readonly onClose: () => void
}

export const RemoveMember = ({ of: member, onClose }: Props) => {
  const removing = useChange('remove_member', {
    invalidates: member?.is_you === true ? [] : ['list_members'],
    onSuccess: () => {
      if (member?.is_you === true) {
        // The app starts afresh in another workspace.
        forgetWorkspace()
        location.assign('/app')
        return
      }
      notifyDone('The membership is ended.')
      onClose()
    },
  })
  return (
    <Confirm
      opened={member !== null}
      title={member?.is_you === true ? 'Leave this workspace?' : 'Remove this member?'}
      action={member?.is_you === true ? 'Leave' : 'Remove member'}
      change={removing}
      onConfirm={() => member !== null && removing.mutate({ user_id: member.user_id })}
      onClose={onClose}
    >
      {member?.is_you === true ? (
        'Your keys for this workspace are deleted. Only an owner can invite you again.'
      ) : (
        <>
          <bdi>{member?.name}</bdi> and the agents that use their keys lose access at once. What they decided stays.
        </>
      )}
    </Confirm>
  )
}
