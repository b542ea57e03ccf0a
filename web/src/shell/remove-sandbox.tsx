import { forgetWorkspace } from '../api/accounts.ts'
import { useChange } from '../api/operations.ts'
import { t } from '../language/messages.ts'
import { Confirm } from '../parts/change-dialog.tsx'

/** Asks before a workspace with sample data goes. */
const RemoveSandbox = ({ onClose }: { readonly onClose: () => void }) => {
  const removing = useChange('remove_sandbox', {
    onSuccess: () => {
      forgetWorkspace()
      location.assign('/app')
    },
  })
  return (
    <Confirm
      opened
      title={t('Remove the sample data?')}
      action={t('Remove it')}
      change={removing}
      onConfirm={() => removing.mutate({})}
      onClose={onClose}
    >
      {t(
        'This workspace is deleted with everything in it, also what was added. Your other workspaces stay as they are. This cannot be undone.',
      )}
    </Confirm>
  )
}

export default RemoveSandbox
