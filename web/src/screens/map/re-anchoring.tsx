import { Progress, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Output } from '../../api/client.ts'
import { operationKey, useOperation } from '../../api/hooks.ts'

const REFRESH_MS = 4000

type Job = Output<'list_jobs'>['items'][number]

/** The job that anchors the Signals again after a change of the map; null while none runs. When it ends, the map is read again. */
export const useReAnchoring = (): Job | null => {
  const queries = useQueryClient()
  const running = { job_kind: 're_anchor', job_state: 'running', limit: 1 } as const
  const { data } = useOperation('list_jobs', running, { refresh_ms: REFRESH_MS })
  const job = data?.items[0] ?? null
  const isOver = job === null
  useEffect(() => {
    if (isOver) queries.invalidateQueries({ queryKey: operationKey('outline_map') })
  }, [isOver, queries])
  return job
}

/** How far that job is. */
export const ReAnchoring = ({ job: { done, total } }: { readonly job: Job }) => (
  <div role="status">
    <Text size="xs" c="dimmed" mb="xs">
      Signals are being anchored again after a change of the map
      {total !== null && `: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`}.
    </Text>
    <Progress
      size="xs"
      mb="md"
      aria-label="Signals anchored again"
      value={total === null || total === 0 ? 0 : (done / total) * 100}
    />
  </div>
)
