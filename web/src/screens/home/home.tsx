import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { Link, Navigate } from 'react-router'
import { useNewWorkspace } from '../../api/new-workspace.ts'
import { type Output, useChange, useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { Page, PageHeader } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { ConnectSource, FirstSignal, SendSignal } from './steps.tsx'

const REFRESH_MS = 2000

/** `/app`: Triage, or the way to the first signal where none has come yet. */
const Home = () => {
  // Whoever was welcomed sees the signal arrive before they go on.
  const [welcomed, setWelcomed] = useState(false)
  const { data, error, refetch } = useOperation('orient_snapshot', { limit: 1 }, { refresh_ms: REFRESH_MS })
  if (data === undefined) {
    return (
      <Page width="reading">
        <PageHeader title={t('Welcome')} />
        {error === null ? <LoadingState rows={3} height={80} /> : <ErrorState error={error} retry={refetch} />}
      </Page>
    )
  }
  if (data.counts.signals === 0 && !welcomed) setWelcomed(true)
  return data.counts.signals === 0 || welcomed ? <Welcome snapshot={data} /> : <Navigate to="/app/triage" replace />
}

export default Home

interface WelcomeProps {
  readonly snapshot: Output<'orient_snapshot'>
}

/**
 * Three steps from an empty workspace to its first signal: an address to send to, a request, and the signal as it
 * arrives.
 */
const Welcome = ({ snapshot: { workspace, counts, recent_signals } }: WelcomeProps) => {
  const [source, setSource] = useState<Output<'create_source'> | null>(null)
  const creating = useChange('create_source', { invalidates: ['orient_snapshot'], onSuccess: setSource })
  return (
    <Page width="reading">
      <PageHeader
        title={t('Welcome to {name}', { name: workspace.name })}
        about={t(
          'Evidence comes in as signals: what customers, teammates and machines say. Send the first one; it takes a minute.',
        )}
      >
        <Button component={Link} to="/app/import-export" variant="default">
          {t('Import a file')}
        </Button>
        <SampleData />
      </PageHeader>
      <Stack gap="md" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        <ConnectSource
          done={counts.sources > 0}
          pending={creating.isPending}
          error={creating.error}
          create={() => creating.mutate({ kind: 'signal', name: t('First source') })}
        />
        <SendSignal source={source} connected={counts.sources > 0} done={counts.signals > 0} />
        <FirstSignal signal={recent_signals[0]} waiting={counts.sources > 0} />
      </Stack>
    </Page>
  )
}

/** A workspace of its own to look around in, filled with what a year of one product leaves; removed like it came. */
const SampleData = () => {
  const making = useNewWorkspace()
  return (
    <>
      <Button
        variant="default"
        loading={making.isPending || making.isSuccess}
        onClick={() => making.mutate({ name: t('Sample data'), sandbox: true })}
      >
        {t('Look around with sample data')}
      </Button>
      {making.error !== null && <ErrorState error={making.error} title={t('It was not made')} />}
    </>
  )
}
