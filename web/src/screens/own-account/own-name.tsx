import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAccountChange } from '../../api/own-account.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { Section } from '../workspace/section.tsx'

const MOST_CHARACTERS = 120

export const OwnName = ({ name }: { readonly name: string }) => {
  const [wanted, setWanted] = useState(name)
  const renaming = useAccountChange('update-user', { onSuccess: () => notifyDone('Your name is changed.') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!renaming.isPending) renaming.mutate({ name: wanted.trim() })
  }
  return (
    <Section title="Name" about="As others see you. What you wrote so far keeps the name that you had then.">
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <TextInput
            aria-label="Your name"
            autoComplete="name"
            required
            maxLength={MOST_CHARACTERS}
            value={wanted}
            onChange={event => setWanted(event.currentTarget.value)}
            flex={1}
            miw={200}
          />
          <Button type="submit" variant="default" loading={renaming.isPending} disabled={wanted.trim() === name}>
            Change name
          </Button>
        </Group>
      </form>
      {renaming.error !== null && <ErrorState error={renaming.error} title="Your name was not changed" />}
    </Section>
  )
}
