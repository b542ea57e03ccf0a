import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useNewWorkspace } from '../../api/new-workspace.ts'
import { type Output, useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { useSnapshot } from '../../shell/at-home.tsx'
import { ConnectSource, FirstSignal, SendSignal } from './steps.tsx'

/**
 * Three steps from an empty workspace to its first signal: an address to send to, a request, and the signal as it
 * arrives.
 */
const Welcome = () => {
  const { data } = useSnapshot()
  const [source, setSource] = useState<Output<'create_source'> | null>(null)
  const creating = useChange('create_source', { invalidates: ['orient_snapshot'], onSuccess: setSource })
  // It was read to come here.
  if (data === undefined) return null
  const { workspace, counts, recent_signals } = data
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

export default Welcome

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
      <FormFailure form={null} error={making.error} title={t('It was not created')} />
    </>
  )
}
