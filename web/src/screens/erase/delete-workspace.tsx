import { Button } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { Section } from '../workspace/section.tsx'
import { ConfirmName } from './confirm-name.tsx'

interface Props {
  readonly workspace: string
}

/** The workspace with everything in it, for all of its members. */
export const DeleteWorkspace = ({ workspace }: Props) => {
  const [isAsked, setIsAsked] = useState(false)
  const deleting = useChange('delete_workspace', {
    leavesPage: true,
    // Nothing that was read is there any more: the app begins anew in another workspace.
    onSuccess: () => window.location.assign('/app'),
  })
  return (
    <Section
      title={t('The workspace')}
      about={t(
        'Everybody loses access at once, keys and sources end, and all that it holds is removed within the hour.',
      )}
    >
      {isAsked ? (
        <ConfirmName
          workspace={workspace}
          action={t('Delete the workspace')}
          missing={null}
          isPending={deleting.isPending}
          error={deleting.error}
          onConfirm={confirm => deleting.mutate({ confirm })}
        />
      ) : (
        <Button variant="light" color="red" onClick={() => setIsAsked(true)}>
          {t('Delete this workspace')}
        </Button>
      )}
    </Section>
  )
}
