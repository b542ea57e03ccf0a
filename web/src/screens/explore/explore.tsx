import { Group } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useOperationPages } from '../../api/hooks.ts'
import { useEveryPage } from '../../api/use-every-page.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { AgentCall } from './agent-call.tsx'
import { AnswerView } from './answer-view.tsx'
import { Controls } from './controls.tsx'
import { DownloadCsv } from './download-csv.tsx'
import { Filters } from './filters.tsx'
import { DEFAULTS, filtersOf, groupsOf, pinned, queryOf, questionOf } from './question.ts'
import { useNodePaths } from './use-node-paths.ts'
import { QUESTIONS } from './vocabulary.ts'

/** As many as one answer takes, and as many answers as a chart and a table have room for. */
const ROWS = 100
const MAX_PAGES = 12

/** What happened, counted and measured: the same question that an agent asks, with a chart, a table, and the call to take along. */
const Explore = () => {
  const [state, change] = useUrlState(DEFAULTS)
  const [now, setNow] = useState(() => new Date())
  // The state is another object each time; what it says is not. The chart’s metric is not asked.
  const stateKey = JSON.stringify({ ...state, chart: '' })
  const query = useMemo(() => queryOf(JSON.parse(stateKey), now), [stateKey, now])
  const reading = useOperationPages('analyze_activity', { ...query, limit: ROWS }, { keep: true })
  useEveryPage(reading, MAX_PAGES)
  const { first, items, error, refetch, hasNextPage, isPlaceholderData } = reading
  const namesNodes = groupsOf(state).includes('node') || filtersOf(state).some(({ field }) => field === 'node')
  const isTrending = questionOf(state) === 'trending'
  const pathOf = useNodePaths(namesNodes || isTrending)
  return (
    <Page width="working">
      <PageHeader title="Explore" about="What happened, counted and measured, as your agents ask it.">
        {first !== undefined && !isPlaceholderData && (
          <Group gap="sm">
            <AgentCall query={pinned(query, first)} />
            <DownloadCsv query={pinned(query, first)} count={first.count} />
          </Group>
        )}
      </PageHeader>
      <Controls state={state} onChange={change} onRefresh={() => setNow(new Date())} />
      {QUESTIONS[questionOf(state)].takes.has('filters') && (
        <Filters
          filters={filtersOf(state)}
          pathOf={pathOf}
          onChange={filters => change({ filters: JSON.stringify(filters) })}
        />
      )}
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {first === undefined && error === null && <LoadingState rows={6} height={48} />}
      {first !== undefined && error === null && (
        <AnswerView
          answer={first}
          rows={items}
          query={query}
          state={state}
          pathOf={pathOf}
          isComplete={!hasNextPage}
          isStale={isPlaceholderData}
          onChange={change}
        />
      )}
    </Page>
  )
}

export default Explore
