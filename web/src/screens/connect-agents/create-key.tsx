import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { useKeys } from '../../shell/keys.ts'

const MOST_CHARACTERS = 120

interface Props {
  readonly onCreated: (created: Output<'create_key'>) => void
}

export const CreateKey = ({ onCreated }: Props) => {
  const [label, setLabel] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const creating = useChange('create_key', {
    invalidates: ['list_keys'],
    onSuccess: created => {
      setLabel('')
      onCreated(created)
    },
  })
  useKeys([{ key: 'c', does: 'Create a key for an agent', run: () => input.current?.focus() }])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate({ label })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          ref={input}
          label="Label"
          description="What you will know the key by."
          placeholder="Planning agent"
          required
          withAsterisk={false}
          maxLength={MOST_CHARACTERS}
          value={label}
          onChange={event => setLabel(event.currentTarget.value)}
          flex={1}
          miw={220}
        />
        <Button type="submit" loading={creating.isPending}>
          Create key
        </Button>
      </Group>
      {creating.error !== null && <ErrorState error={creating.error} title="The key was not created" />}
    </form>
  )
}
