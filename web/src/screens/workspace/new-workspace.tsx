import { Button, Group, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { chooseWorkspace } from '../../api/accounts.ts'
import { callOnce, useWrite } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { Section } from '../../parts/section.tsx'
import { ErrorState } from '../../parts/states.tsx'

interface Wanted {
  readonly name: string
  readonly sandbox: boolean
}

/** Makes a workspace and enters it; a sandbox is filled before anybody looks. */
export const useNewWorkspace = () => {
  const queries = useQueryClient()
  const make = async ({ name, sandbox }: Wanted) => {
    const { data } = await callOnce('create_workspace', { name, sandbox })
    chooseWorkspace(data.id)
    if (sandbox) await callOnce('reset_sandbox', {})
  }
  return useWrite(make, {
    leavesPage: true,
    // The app starts afresh in it. One that was made and not filled is shown here, where it can be filled again.
    onSuccess: () => location.assign('/app'),
    onError: () => queries.invalidateQueries(),
  })
}

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
          <Button
            type="submit"
            variant="default"
            loading={(making.isPending || making.isSuccess) && !making.variables.sandbox}
          >
            {t('Create workspace')}
          </Button>
        </Group>
      </form>
      <Group gap="sm" mt="md">
        <Button
          variant="default"
          loading={(making.isPending || making.isSuccess) && making.variables.sandbox}
          onClick={() => making.mutate({ name: t('Sandbox'), sandbox: true })}
        >
          {t('Create a sandbox')}
        </Button>
        <Text size="sm" c="dimmed" flex={1} miw={200}>
          {t('A workspace with sample data of a made-up shop, to try things out. It can be reset at any time.')}
        </Text>
      </Group>
      {making.error !== null && <ErrorState error={making.error} title={t('That did not work')} />}
    </Section>
  )
}
