import { Stack } from '@mantine/core'
import { useOperation } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Administrators } from './administrators.tsx'
import { Changes } from './changes.tsx'
import { EveryWorkspace } from './every-workspace.tsx'

/** Settings → Installation: who administers it, for everybody; which workspaces there are, for administrators. */
const Installation = () => {
  const { data, error, refetch } = useOperation('list_administrators', {})
  return (
    <Page width="reading">
      <PageHeader
        title="Installation"
        about="What concerns everybody’s workspaces: who may pause the pipeline, and who sees which workspaces there are."
      />
      {data === undefined &&
        (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && (
        <Stack gap="xl">
          <Administrators administrators={data.items} youAdminister={data.you_administer} />
          {data.you_administer && <EveryWorkspace />}
          {data.you_administer && <Changes />}
        </Stack>
      )}
    </Page>
  )
}

export default Installation
