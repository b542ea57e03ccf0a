import { Button, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { forgetWorkspace } from '../../api/accounts.ts'
import { useChange, useOperation, useOperationPages } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { Page, PageHeader, Section } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState, Together } from '../../parts/states.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { ConfirmName } from './confirm-name.tsx'
import { FindPerson } from './erase-person.tsx'
import { ErasureItem } from './erasure-item.tsx'
import { Retention } from './retention.tsx'

interface Props {
  /** Its name, which is written out to confirm. */
  readonly workspace: string
}

/** One Signal, with all that hangs on it. */
const EraseSignal = ({ workspace }: Props) => {
  const [id, setId] = useState('')
  const erasing = useChange('erase_signal', {
    invalidates: ['list_erasures'],
    onSuccess: () => {
      setId('')
      notifyDone(t('The erasure has begun. You can leave this page.'))
    },
  })
  return (
    <Section
      title={t('A Signal')}
      about={t(
        'It is erased with its comments, evidence and history. A repeat that somebody else sent takes its place.',
      )}
    >
      <Stack gap="md">
        <TextInput
          label={t('Signal')}
          placeholder="SIG-7"
          value={id}
          onChange={event => setId(event.currentTarget.value)}
          autoComplete="off"
        />
        {id.trim() !== '' && (
          <ConfirmName
            workspace={workspace}
            action={t('Erase the signal')}
            change={erasing}
            onConfirm={confirm => erasing.mutate({ id: id.trim(), confirm })}
          />
        )}
      </Stack>
    </Section>
  )
}

/** A source with every Signal that came through it. */
const EraseSource = ({ workspace }: Props) => {
  const [id, setId] = useState<string | null>(null)
  const { data } = useOperation('list_sources', {})
  const erasing = useChange('erase_source', {
    invalidates: ['list_erasures', 'list_sources'],
    onSuccess: () => {
      setId(null)
      notifyDone(t('The source is closed, and its signals are being erased.'))
    },
  })
  const sources = (data?.items ?? []).filter(({ kind }) => kind !== 'metric')
  return (
    <Section
      title={t('A source with its signals')}
      about={t('Its address is closed for good, and every signal and repeat that came through it is erased.')}
    >
      <Stack gap="md">
        <Select
          label={t('Source')}
          placeholder={t('Choose a source')}
          data={sources.map(source => ({ value: source.id, label: source.name }))}
          value={id}
          onChange={setId}
          clearable
        />
        {id !== null && (
          <ConfirmName
            workspace={workspace}
            action={t('Erase the source')}
            change={erasing}
            onConfirm={confirm => erasing.mutate({ id, confirm })}
          />
        )}
      </Stack>
    </Section>
  )
}

/** While one is at work, and while none is. */
const REFRESH_MS = { running: 1000, resting: 30_000 }

/** What was erased, the newest first, each with its proof. */
const ErasureList = () => {
  const [isRunning, setIsRunning] = useState(false)
  const { items, first, error, refetch, fetchNextPage, hasNextPage } = useOperationPages(
    'list_erasures',
    {},
    { refresh_ms: isRunning ? REFRESH_MS.running : REFRESH_MS.resting },
  )
  const works = items.some(({ job }) => job?.state === 'running')
  useEffect(() => setIsRunning(works), [works])
  return (
    <Section
      title={t('What was erased')}
      about={t('When, by whom and how much. Nothing is kept that says about whom it was.')}
    >
      {first === undefined &&
        (error === null ? <LoadingState rows={2} /> : <ErrorState error={error} retry={refetch} />)}
      {first !== undefined && error !== null && <ErrorState error={error} retry={refetch} />}
      {first !== undefined && items.length === 0 && (
        <EmptyState icon={IconEraser} heading="h3" title={t('Nothing was erased yet')}>
          {t('Each erasure is listed here with what a search of every store found afterwards.')}
        </EmptyState>
      )}
      <Stack gap="md">
        {items.map(erasure => (
          <ErasureItem key={erasure.id} of={erasure} />
        ))}
      </Stack>
      {hasNextPage && (
        <Button mt="sm" size="xs" variant="default" onClick={() => void fetchNextPage()}>
          {t('Show earlier ones')}
        </Button>
      )}
      {items.length > 0 && (
        <Text size="xs" c="dimmed" mt="sm" className="reading">
          {t(
            'This does not reach backups that were made before, or records on the log until their time is over: the operator’s page “Erase a person” says when they are deleted.',
          )}
        </Text>
      )}
    </Section>
  )
}

/** The workspace with everything in it, for all of its members. */
const DeleteWorkspace = ({ workspace }: Props) => {
  const [isAsked, setIsAsked] = useState(false)
  const deleting = useChange('delete_workspace', {
    leavesPage: true,
    // Nothing that was read is there any more: the app begins anew in another workspace.
    onSuccess: () => {
      forgetWorkspace()
      window.location.assign('/app')
    },
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
          change={deleting}
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

/** Settings → Erase: what goes for good, each after a look at what that is. */
const Erase = () => {
  const { data, error, refetch } = useOperation('list_workspaces', {})
  const current = data?.items.find(workspace => workspace.current)
  const isOwner = current?.role === 'owner'
  return (
    <Page width="reading">
      <PageHeader
        title={t('Erase')}
        about={t('Take a person, a signal, a source or the workspace out for good. Nothing of it can be brought back.')}
      />
      {current === undefined &&
        (error === null ? <LoadingState rows={4} height={48} /> : <ErrorState error={error} retry={refetch} />)}
      {current !== undefined && !isOwner && (
        <Section title={t('For owners')} about={t('Only an owner of the workspace can erase something here.')}>
          {null}
        </Section>
      )}
      {current !== undefined && isOwner && (
        <Together rows={8} height={48}>
          <Stack gap="xl">
            <FindPerson workspace={current.name} />
            <EraseSignal workspace={current.name} />
            <EraseSource workspace={current.name} />
            <Retention workspace={current.name} />
            <ErasureList />
            <DeleteWorkspace workspace={current.name} />
          </Stack>
        </Together>
      )}
    </Page>
  )
}

export default Erase
