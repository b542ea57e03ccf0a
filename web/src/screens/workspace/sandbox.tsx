import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { Section } from './section.tsx'

interface Props {
  readonly isOwner: boolean
}

export const Sandbox = ({ isOwner }: Props) => {
  const [dialog, setDialog] = useState(false)
  const queries = useQueryClient()
  const resetting = useChange('reset_sandbox', {
    onSuccess: async () => {
      // Nothing that was read is there any more.
      await queries.invalidateQueries()
      notifyDone('The sandbox is reset.')
      setDialog(false)
    },
  })
  return (
    <Section
      title="Sandbox"
      about="This workspace is for trying things out: it holds the sample data of a made-up shop, and can be put back to it at any time."
    >
      {isOwner ? (
        <Button variant="default" onClick={() => setDialog(true)}>
          Reset the sandbox
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          An owner can reset it.
        </Text>
      )}
      <Confirm
        opened={dialog}
        title="Reset the sandbox?"
        action="Reset"
        pending={resetting.isPending}
        error={resetting.error}
        onConfirm={() => resetting.mutate({})}
        onClose={() => {
          resetting.reset()
          setDialog(false)
        }}
      >
        Everything in it is removed, its sources are closed, and the sample data is put back. Members and keys stay.
        This cannot be undone.
      </Confirm>
    </Section>
  )
}
