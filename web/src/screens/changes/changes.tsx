import { Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { AllChanges } from './all-changes.tsx'
import { kindOf } from './change.ts'
import { KindOfChanges } from './kind-of-changes.tsx'
import { useLastVisit } from './use-last-visit.ts'

/** `from` and `until` are instants; `range` is how they came about. */
const DEFAULTS = { range: 'look', kind: '', from: '', until: '' }

const DAY_MS = 86_400_000
const RANGES = [
  { value: 'look', label: 'Since my last visit' },
  { value: '1', label: '24 hours' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
]

/** What changed in the workspace: since one was here last, or within a time. */
const Changes = () => {
  const [{ range, kind, from, until }, change] = useUrlState(DEFAULTS)
  const [looks, setLooks] = useState(0)
  const { error, refetch } = useLastVisit(from === '', looks, since => change({ from: since }))
  const choose = (chosen: string) => {
    const days = Number(chosen)
    setLooks(looks + 1)
    change({
      range: chosen,
      until: '',
      from: Number.isNaN(days) ? '' : new Date(Date.now() - days * DAY_MS).toISOString(),
    })
  }
  const time = { from, ...(until !== '' && { to: until }) }
  const chosen = kindOf(kind)
  return (
    <Page width="reading">
      <PageHeader title="What changed" about="What came in, what moved, and what was decided, whoever did it." />
      <Group mb="lg" style={{ overflowX: 'auto' }} wrap="nowrap" data-chrome>
        <SegmentedControl size="xs" aria-label="Time" data={RANGES} value={range} onChange={choose} />
        {range === 'between' && (
          <Text size="xs" c="dimmed">
            Custom range
          </Text>
        )}
      </Group>
      {from === '' && (error === null ? <LoadingState rows={6} /> : <ErrorState error={error} retry={refetch} />)}
      {from !== '' && chosen === null && <AllChanges time={time} onKind={named => change({ kind: named })} />}
      {from !== '' && chosen !== null && <KindOfChanges kind={chosen} time={time} onAll={() => change({ kind: '' })} />}
    </Page>
  )
}

export default Changes
