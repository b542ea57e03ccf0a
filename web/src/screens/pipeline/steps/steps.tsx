import { Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useOperation } from '../../../api/hooks.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { useUrlState } from '../../../parts/use-url-state.ts'
import type { Lane, StepName } from './lane.ts'
import { PauseStep } from './pause-step.tsx'
import { Queues } from './queues.tsx'
import { StepTable } from './step-table.tsx'
import { Totals } from './totals.tsx'

const REFRESH_MS = 3000
const LETTERS_REFRESH_MS = 5000
const DEFAULTS = { lane: 'live' }

const LANES: readonly { readonly value: Lane; readonly label: string }[] = [
  { value: 'live', label: 'Live' },
  { value: 'bulk', label: 'Bulk' },
]

/** What each step does at this moment, in one lane, and what waits for it. */
export const Steps = () => {
  const [{ lane: chosen }, change] = useUrlState(DEFAULTS)
  const lane: Lane = chosen === 'bulk' ? 'bulk' : 'live'
  const [pausing, setPausing] = useState<StepName | null>(null)
  const { data, error, refetch } = useOperation('watch_pipeline', {}, { refresh_ms: REFRESH_MS })
  const { data: letters } = useOperation('inspect_pipeline', { limit: 1 }, { refresh_ms: LETTERS_REFRESH_MS })
  if (data === undefined) {
    return error === null ? <LoadingState rows={10} /> : <ErrorState error={error} retry={refetch} />
  }
  const pausingStep = data.steps.find(({ step }) => step === pausing)
  return (
    <>
      {error !== null && <ErrorState error={error} retry={refetch} title="These figures may be out of date" />}
      <Totals of={data} lane={lane} letters={letters?.count} />
      <Group justify="space-between" align="end" mb="sm" mt="lg">
        <Text size="sm" c="dimmed">
          {data.processors === 1 ? 'One processor' : `${data.processors} processors`}, over the last minute, of the
          whole installation. Dead letters are this workspace’s.
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Lane"
          data={[...LANES]}
          value={lane}
          onChange={value => change({ lane: value })}
        />
      </Group>
      <StepTable of={data} lane={lane} groups={letters?.groups ?? []} onPause={setPausing} />
      {data.why_not !== null && (
        <Text size="xs" c="dimmed" mt="sm" className="reading">
          {data.why_not}
        </Text>
      )}
      <Queues of={data.queues} />
      {pausingStep !== undefined && <PauseStep of={pausingStep} among={data.steps} onClose={() => setPausing(null)} />}
    </>
  )
}
