import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { useNewWorkspace } from '../../api/new-workspace.ts'
import { t } from '../../language/messages.ts'
import { Section } from '../../parts/section.tsx'
import { ErrorState } from '../../parts/states.tsx'

export const NewWorkspace = () => {
  const [name, setName] = useState('')
  const making = useNewWorkspace()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    making.mutate({ name, sandbox: false })
  }
  return (
    <Section
      title={t('More workspaces')}
      about={t('A workspace shares nothing with the others: its own sources, evidence, map, members and keys.')}
    >
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <TextInput
            aria-label={t('Name of the new workspace')}
            placeholder={t('Checkout team')}
            required
            maxLength={MAX_CHARACTERS.name}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            flex={1}
            miw={200}
          />
          <Button type="submit" variant="default" loading={making.isPending || making.isSuccess}>
            {t('Create workspace')}
          </Button>
        </Group>
      </form>
      {making.error !== null && <ErrorState error={making.error} title={t('That did not work')} />}
    </Section>
  )
}
