import { forgetWorkspace } from '../../api/accounts.ts'
import { type Output, useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Confirm } from '../../parts/change-dialog.tsx'
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
      notifyDone(t('The membership is ended.'))
      onClose()
    },
  })
  return (
    <Confirm
      opened={member !== null}
      title={member?.is_you === true ? t('Leave this workspace?') : t('Remove this member?')}
      action={member?.is_you === true ? t('Leave') : t('Remove member')}
      change={removing}
      onConfirm={() => member !== null && removing.mutate({ user_id: member.user_id })}
      onClose={onClose}
    >
      {member?.is_you === true
        ? t('Your keys for this workspace are deleted. Only an owner can invite you again.')
        : rich('{name} and the agents that use their keys lose access at once. What they decided stays.', {
            name: <bdi>{member?.name}</bdi>,
          })}
    </Confirm>
  )
}
