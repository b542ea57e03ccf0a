import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { useNewWorkspace } from '../../api/new-workspace.ts'
import { useChange, useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { Confirm } from '../../parts/change-dialog.tsx'
import { TellingButton } from '../../parts/controls.tsx'
import { FormFailure, FormNotes } from '../../parts/forms/form-notes.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useForm, useNewForm } from '../../parts/forms/use-form.ts'
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
  const form = useForm({
    name: 'name of the workspace',
    labels: { name: t('Name') },
    now: { version: undefined, values: { name } },
  })
  const wanted = form.values.name
  const renaming = useChange('rename_workspace', {
    invalidates: ['list_workspaces', 'orient_snapshot'],
    onSuccess: () => {
      form.forget()
      notifyDone(t('The workspace is renamed.'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.conflicts.length === 0) renaming.submit({ name: wanted, expected: form.seen })
  }
  return (
    <Section
      title={t('Name')}
      about={isOwner ? t('Its addresses for senders stay as they are.') : t('An owner can change it.')}
    >
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <LimitedInput
            aria-label={t('Name of the workspace')}
            required
            most={MAX_CHARACTERS.name}
            value={wanted}
            readOnly={!isOwner}
            onChange={event => form.write({ name: event.currentTarget.value })}
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
      <FormNotes form={form} />
      <FormFailure form={form} error={renaming.error} title={t('It was not renamed')} />
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
        'This workspace is for trying things out: it holds the sample data of an invented shop, and can be reset to it at any time.',
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

/** Who comes by "Create a workspace" of the switcher is at its field. */
const NewWorkspace = () => {
  const field = useRef<HTMLInputElement>(null)
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === '#new') field.current?.focus()
  }, [hash])
  const form = useNewForm('new workspace', { name: '' })
  const { name } = form.values
  const making = useNewWorkspace(form)
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
          <LimitedInput
            ref={field}
            aria-label={t('Name of the new workspace')}
            placeholder={t('Checkout team')}
            required
            most={MAX_CHARACTERS.name}
            value={name}
            onChange={event => form.write({ name: event.currentTarget.value })}
            flex={1}
            miw={200}
          />
          <Button type="submit" variant="default" loading={making.isPending || making.isSuccess}>
            {t('Create workspace')}
          </Button>
        </Group>
      </form>
      <FormFailure form={null} error={making.error} title={t('That did not work')} />
    </Section>
  )
}
