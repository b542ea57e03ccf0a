import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { Section } from './section.tsx'

const MOST_CHARACTERS = 120

interface Props {
  readonly name: string
  readonly isOwner: boolean
}

export const Name = ({ name, isOwner }: Props) => {
  const [wanted, setWanted] = useState(name)
  const renaming = useChange('rename_workspace', {
    invalidates: ['list_workspaces', 'orient_snapshot'],
    onSuccess: () => notifyDone('The workspace is renamed.'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    renaming.mutate({ name: wanted })
  }
  return (
    <Section title="Name" about={isOwner ? 'Its addresses for senders stay as they are.' : 'An owner can change it.'}>
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <TextInput
            aria-label="Name of the workspace"
            required
            maxLength={MOST_CHARACTERS}
            value={wanted}
            readOnly={!isOwner}
            onChange={event => setWanted(event.currentTarget.value)}
            flex={1}
            miw={200}
          />
          {isOwner && (
            <Button type="submit" variant="default" loading={renaming.isPending} disabled={wanted.trim() === name}>
              Rename
            </Button>
          )}
        </Group>
      </form>
      {renaming.error !== null && <ErrorState error={renaming.error} title="It was not renamed" />}
    </Section>
  )
}
