import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { useNewWorkspace } from '../../api/new-workspace.ts'
import { useChange, useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { Confirm } from '../../parts/change-dialog.tsx'
import { TellingButton } from '../../parts/controls.tsx'
import { Page, PageHeader, Section } from '../../parts/page.tsx'
import { ErrorState, LoadingState, Together } from '../../parts/states.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { RemoveMember } from '../members/remove-member.tsx'
import { Digest } from './digest.tsx'
import { Learning, Rules } from './rules.tsx'

/** Settings → Workspace: its name and rules, the sandbox, and further workspaces. */
const Workspace = () => {
  const { data, error, refetch } = useOperation('list_workspaces', {})
  const current = data?.items.find(workspace => workspace.current)
  return (
    <Page width="reading">
      <PageHeader title={t('Workspace')} about={t('What this workspace is called, and the rules that hold in it.')} />
      {current === undefined &&
        (error === null ? <LoadingState rows={4} height={48} /> : <ErrorState error={error} retry={refetch} />)}
      {current !== undefined && (
        <Together rows={8} height={48}>
          <Stack gap="xl">
            <Name key={`${current.id} ${current.name}`} name={current.name} isOwner={current.role === 'owner'} />
            <Rules isOwner={current.role === 'owner'} />
            <Learning isOwner={current.role === 'owner'} />
            <Digest />
            {current.sandbox && <Sandbox isOwner={current.role === 'owner'} />}
            <NewWorkspace />
            <Danger />
          </Stack>
        </Together>
      )}
    </Page>
  )
}

export default Workspace

/** What a person cannot take back by themselves. */
const Danger = () => {
  const [dialog, setDialog] = useState(false)
  const { data } = useOperation('list_members', {})
  const you = data?.items.find(member => member.is_you)
  const isLastOwner = you?.role === 'owner' && data?.items.filter(({ role }) => role === 'owner').length === 1
  return (
    <Section title={t('Leave')} about={t('You lose access at once, and your keys for this workspace are deleted.')}>
      <Group gap="sm">
        <TellingButton
          variant="light"
          color="red"
          missing={
            isLastOwner
              ? t('You are its last owner: make somebody else an owner first.')
              : you === undefined
                ? t('Your membership is being read.')
                : null
          }
          onClick={() => setDialog(true)}
        >
          {t('Leave this workspace')}
        </TellingButton>
        {isLastOwner && (
          <Text size="sm" c="dimmed">
            {t('You are its last owner: make somebody else an owner first.')}
          </Text>
        )}
      </Group>
      <RemoveMember of={dialog && you !== undefined ? you : null} onClose={() => setDialog(false)} />
    </Section>
  )
}

interface NameProps {
  readonly name: string
  readonly isOwner: boolean
}

const Name = ({ name, isOwner }: NameProps) => {
  const [wanted, setWanted] = useState(name)
  const renaming = useChange('rename_workspace', {
    invalidates: ['list_workspaces', 'orient_snapshot'],
    onSuccess: () => notifyDone(t('The workspace is renamed.')),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    renaming.mutate({ name: wanted })
  }
  return (
    <Section
      title={t('Name')}
      about={isOwner ? t('Its addresses for senders stay as they are.') : t('An owner can change it.')}
    >
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <TextInput
            aria-label={t('Name of the workspace')}
            required
            maxLength={MAX_CHARACTERS.name}
            value={wanted}
            readOnly={!isOwner}
            onChange={event => setWanted(event.currentTarget.value)}
            flex={1}
            miw={200}
          />
          {isOwner && (
            <TellingButton
              type="submit"
              variant="default"
              loading={renaming.isPending}
              missing={wanted.trim() === name ? t('Write another name first.') : null}
            >
              {t('Rename')}
            </TellingButton>
          )}
        </Group>
      </form>
      {renaming.error !== null && <ErrorState error={renaming.error} title={t('It was not renamed')} />}
    </Section>
  )
}

interface SandboxProps {
  readonly isOwner: boolean
}

const Sandbox = ({ isOwner }: SandboxProps) => {
  const [dialog, setDialog] = useState(false)
  const queries = useQueryClient()
  const resetting = useChange('reset_sandbox', {
    onSuccess: async () => {
      // Nothing that was read is there any more.
      await queries.invalidateQueries()
      notifyDone(t('The sample data is as it was at first.'))
      setDialog(false)
    },
  })
  return (
    <Section
      title={t('Sample data')}
      about={t(
        'This workspace is for trying things out: it holds the sample data of a made-up shop, and can be put back to it at any time.',
      )}
    >
      {isOwner ? (
        <Button variant="default" onClick={() => setDialog(true)}>
          {t('Reset the sample data')}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          {t('An owner can reset it.')}
        </Text>
      )}
      <Confirm
        opened={dialog}
        title={t('Reset the sample data?')}
        action={t('Reset')}
        change={resetting}
        onConfirm={() => resetting.mutate({})}
        onClose={() => setDialog(false)}
      >
        {t(
          'Everything in it is removed, its sources are closed, and the sample data is put back. Members and keys stay. This cannot be undone.',
        )}
      </Confirm>
    </Section>
  )
}

const NewWorkspace = () => {
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
