import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ConnectSource } from './connect-source.tsx'
import { FirstSignal } from './first-signal.tsx'
import { SendSignal } from './send-signal.tsx'

interface Props {
  readonly snapshot: Output<'orient_snapshot'>
}

/** Three steps from an empty workspace to its first signal: an address to send to, a request, and the signal as it arrives. */
export const Welcome = ({ snapshot: { workspace, counts, recent_signals } }: Props) => {
  const [source, setSource] = useState<Output<'create_source'> | null>(null)
  const creating = useChange('create_source', { invalidates: ['orient_snapshot'], onSuccess: setSource })
  return (
    <Page width="reading">
      <PageHeader
        title={`Welcome to ${workspace.name}`}
        about="Evidence comes in as signals: what customers, teammates and machines say. Send the first one; it takes a minute."
      />
      <Stack gap="md" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        <ConnectSource
          done={counts.sources > 0}
          pending={creating.isPending}
          error={creating.error}
          create={() => creating.mutate({ kind: 'signal', name: 'First source' })}
        />
        <SendSignal source={source} connected={counts.sources > 0} done={counts.signals > 0} />
        <FirstSignal signal={recent_signals[0]} waiting={counts.sources > 0} />
      </Stack>
    </Page>
  )
}
