import { Button, Group, Popover, Text } from '@mantine/core'
import { IconDownload, IconRobot } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call, useEveryPage, useOperationPages } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { TellingButton } from '../../parts/controls.tsx'
import { Copyable, copyText } from '../../parts/copyable.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { notifyFailed } from '../../shell/notify.tsx'
import { AnswerView } from './answer-view.tsx'
import { Controls } from './controls.tsx'
import { Filters } from './filters.tsx'
import { agentCall, canFilterBy, DEFAULTS, filtersOf, groupsOf, pinned, queryOf, questionOf } from './question.ts'
import { type ActivityQuery, QUESTIONS, useNodePaths } from './vocabulary.ts'

/** As many as one answer takes, and as many answers as a chart and a table have room for. */
const ROWS = 100
const MAX_PAGES = 12

/**
 * What happened, counted and measured: the same question that an agent asks, with a chart, a table, and the call to
 * take along.
 */
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
      <PageHeader
        title={t('Explore')}
        about={t('What happened, counted and measured. Your agents get the same figures.')}
        awaits={false}
      >
        {first === undefined ? (
          <ActionsToCome />
        ) : (
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
          canFilterBy={field => canFilterBy(state, field)}
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

/** The room of what can be done with an answer, until there is one. */
const ActionsToCome = () => (
  <Group gap="sm" style={{ visibility: 'hidden' }}>
    <Button size="sm" variant="default" leftSection={<IconRobot size={16} />}>
      {t('Copy as tool call')}
    </Button>
    <Button size="sm" variant="default" leftSection={<IconDownload size={16} />}>
      {t('Download CSV')}
    </Button>
  </Group>
)

/** Copies what is asked as the call that an agent makes, and shows it. */
const AgentCall = ({ query }: { readonly query: ActivityQuery }) => {
  const [opened, setOpened] = useState(false)
  const [copied, setCopied] = useState(false)
  const text = agentCall(query)
  const copy = async () => {
    setCopied(await copyText(text))
    setOpened(true)
  }
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width="min(26rem, calc(100vw - 2rem))"
      position="bottom-end"
      trapFocus
      withArrow
    >
      <Popover.Target>
        <Button size="sm" variant="default" leftSection={<IconRobot size={16} />} onClick={copy}>
          {t('Copy as tool call')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Tool call')}>
        <Text size="sm" mb="sm" role="status">
          {t('{what}An agent that sends this to your MCP endpoint gets these figures.', {
            what: copied ? `${t('Copied.')} ` : '',
          })}
        </Text>
        <Copyable label={t('JSON-RPC call')} text={text} />
      </Popover.Dropdown>
    </Popover>
  )
}

interface DownloadCsvProps {
  readonly query: ActivityQuery
  /** Rows in all. */
  readonly count: number
}

/** Saves all rows of the answer as one file, which the service writes: what a spreadsheet would run stays text. */
const DownloadCsv = ({ query, count }: DownloadCsvProps) => {
  const [done, setDone] = useState<number | null>(null)
  const reading = useRef<AbortController>(null)
  useEffect(() => () => reading.current?.abort(), [])

  const download = async () => {
    const begun = new AbortController()
    reading.current = begun
    const { signal } = begun
    setDone(0)
    try {
      save(await readCsv(query, signal, setDone), nameOf(query))
    } catch (error) {
      if (!signal.aborted) notifyFailed(error)
    }
    setDone(null)
  }
  return (
    <TellingButton
      size="sm"
      variant="default"
      leftSection={<IconDownload size={16} />}
      missing={count === 0 ? t('There is no row to download.') : null}
      onClick={done === null ? download : () => reading.current?.abort()}
    >
      {done === null
        ? t('Download CSV')
        : t('Stop, at {done} of {count}', {
            done: done.toLocaleString(language),
            count: count.toLocaleString(language),
          })}
    </TellingButton>
  )
}

/** Pages join to one file: only the first has the header. */
const readCsv = async (query: ActivityQuery, signal: AbortSignal, onRead: (rows: number) => void): Promise<string> => {
  const pages: string[] = []
  let cursor: string | null = null
  for (;;) {
    const { data, meta }: Awaited<ReturnType<typeof readPage>> = await readPage(query, cursor, signal)
    pages.push(data.csv ?? '')
    // Nearly: a text in quotes may hold line breaks of its own.
    onRead(pages.reduce((lines, page) => lines + page.split('\r\n').length - 1, -1))
    cursor = meta.next_cursor ?? null
    if (cursor === null) return pages.join('')
  }
}

const readPage = (query: ActivityQuery, cursor: string | null, signal: AbortSignal) =>
  call('analyze_activity', { ...query, format: 'csv', limit: ROWS, ...(cursor !== null && { cursor }) }, { signal })

const nameOf = ({ question, time }: ActivityQuery): string =>
  `${['assay', question ?? 'figures', ...[time?.from, time?.to].flatMap(at => at?.slice(0, 10) ?? [])].join('-')}.csv`

const save = (text: string, name: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
