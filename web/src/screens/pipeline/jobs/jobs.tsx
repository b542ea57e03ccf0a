import { Button, Group, Text } from '@mantine/core'
import { IconStack3 } from '@tabler/icons-react'
import { useOperationPages } from '../../../api/hooks.ts'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { useCanManagePipeline } from '../use-role.ts'
import { JobTable } from './job-table.tsx'
import { StartJob } from './start-job.tsx'

/** Progress is followed this closely while something runs; what begins by itself is seen this late. */
const REFRESH_MS = 1500

/** Long work on the workspace, with its progress, who began it and who ended it. It goes on whether somebody looks or not. */
export const Jobs = () => {
  const canEdit = useCanManagePipeline()
  const { items, first, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'list_jobs',
    {},
    { refresh_ms: REFRESH_MS },
  )
  if (first === undefined) {
    return error === null ? <LoadingState rows={5} /> : <ErrorState error={error} retry={refetch} />
  }
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed">
          You can leave while a job runs, and come back to it here.
        </Text>
        {canEdit && <StartJob />}
      </Group>
      {error !== null && <ErrorState error={error} retry={refetch} title="This progress may be out of date" />}
      {items.length === 0 ? (
        <EmptyState icon={IconStack3} title="No job has run">
          Replays of dead letters run as jobs, and what is done again after a change: another embedding model, newer
          rules, a changed map.
        </EmptyState>
      ) : (
        <JobTable jobs={items} canEdit={canEdit} />
      )}
      {hasNextPage && (
        <Button variant="subtle" size="xs" mt="sm" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show older
        </Button>
      )}
    </>
  )
}
