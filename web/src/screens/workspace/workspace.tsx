import { Stack } from '@mantine/core'
import { useOperation } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Danger } from './danger.tsx'
import { Name } from './name.tsx'
import { NewWorkspace } from './new-workspace.tsx'
import { Rules } from './rules.tsx'
import { Sandbox } from './sandbox.tsx'

/** Settings → Workspace: its name and rules, the sandbox, and further workspaces. */
const Workspace = () => {
  const { data, error, refetch } = useOperation('list_workspaces', {})
  const current = data?.items.find(workspace => workspace.current)
  return (
    <Page width="reading">
      <PageHeader title="Workspace" about="What this workspace is called, and the rules that hold in it." />
      {current === undefined &&
        (error === null ? <LoadingState rows={4} height={48} /> : <ErrorState error={error} retry={refetch} />)}
      {current !== undefined && (
        <Stack gap="xl">
          <Name key={`${current.id} ${current.name}`} name={current.name} isOwner={current.role === 'owner'} />
          <Rules isOwner={current.role === 'owner'} />
          {current.sandbox && <Sandbox isOwner={current.role === 'owner'} />}
          <NewWorkspace />
          <Danger />
        </Stack>
      )}
    </Page>
  )
}

export default Workspace
