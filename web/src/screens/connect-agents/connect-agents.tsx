import { Anchor, Title } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useOperation } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { CreateKey } from './create-key.tsx'
import { CreatedKey } from './created-key.tsx'
import { KeyTable } from './key-table.tsx'

/** Settings → Account → Connect agents: the keys that agents act through. */
const ConnectAgents = () => {
  const [created, setCreated] = useState<Output<'create_key'> | null>(null)
  const { data, error, refetch } = useOperation('list_keys', {})
  return (
    <Page width="reading">
      <PageHeader
        title="Connect agents"
        about={
          <>
            An agent sees what you see in this workspace, over{' '}
            <Anchor href="https://modelcontextprotocol.io" target="_blank" rel="noreferrer" inherit underline="always">
              MCP
            </Anchor>
            , through a key that you can delete at any time.
          </>
        }
      />
      <CreateKey onCreated={setCreated} />
      {created?.key != null && <CreatedKey secret={created.key} onClose={() => setCreated(null)} />}
      <Title order={2} mt="xl" mb="sm">
        Keys
      </Title>
      {data !== undefined && <KeyTable keys={data.items} />}
      {data === undefined &&
        (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
    </Page>
  )
}

export default ConnectAgents
