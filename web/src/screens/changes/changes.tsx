import { Anchor, Button, Group, SegmentedControl, Text, Title } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { DAY_MS, MINUTE_MS } from '../../../../schemas/domain/durations.ts'
import { MAX_LIMIT } from '../../../../schemas/domain/limits.ts'
import type { Problem } from '../../api/http.ts'
import { call, useOperation, useOperationPages } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { moment } from '../../parts/formats.ts'
import { When } from '../../parts/inline.tsx'
import { MoreButton } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { ChangeLines, KINDS, type Kind, kindOf, type Time } from './change-kinds.tsx'
import classes from './changes.module.css'

/** `from` and `until` are instants; `range` is how they came about. */
const DEFAULTS = { range: 'look', kind: '', from: '', until: '' }

const RANGES = [
  { value: 'look', label: t('Since my last visit') },
  { value: '1', label: t('24 hours') },
  { value: '7', label: t('7 days') },
  { value: '30', label: t('30 days') },
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
      <PageHeader title={t('What changed')} about={t('What came in, what changed and what was decided, by anybody.')} />
      <Group mb="lg" style={{ overflowX: 'auto' }} wrap="nowrap" data-chrome>
        <SegmentedControl size="xs" aria-label={t('Time')} data={RANGES} value={range} onChange={choose} />
        {range === 'between' && (
          <Text size="xs" c="dimmed">
            {t('Custom range')}
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

/**
 * Tells when the person looked last, and has the service remember this look: so it is asked once, and again only when
 * `looks` is another number.
 */
const useLastVisit = (wanted: boolean, looks: number, tell: (since: string) => void) => {
  const visit = useId()
  const { data, error, refetch } = useQuery({
    queryKey: ['last look', visit, looks],
    queryFn: async () => (await call('orient_changes', { depth: 'summary' })).data.since,
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    if (wanted && data !== undefined) tell(data)
  })
  // Only `call` rejects there, and it does with a Problem.
  return { error: error as Problem | null, refetch }
}

interface KindOfChangesProps {
  readonly kind: Kind
  readonly time: Time
  readonly onAll: () => void
}

/** Everything of one kind that changed within a time. */
const KindOfChanges = ({ kind, time, onAll }: KindOfChangesProps) => {
  const query = useOperationPages('list_changes', { time, kind, limit: MAX_LIMIT })
  const { first, items, error, refetch } = query
  const { title } = KINDS[kind]
  if (first === undefined) {
    return error === null ? <LoadingState rows={8} /> : <ErrorState error={error} retry={refetch} />
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        <PeriodText from={first.from} to={first.to} />.{' '}
        <Anchor component="button" type="button" inherit underline="always" onClick={onAll}>
          {t('Show every kind')}
        </Anchor>
      </Text>
      {items.length === 0 ? (
        <EmptyState icon={IconHistory} title={t('Nothing of this kind changed')}>
          {t('{title}: none in this time.', { title })}
        </EmptyState>
      ) : (
        <ChangeSection title={title} count={items[0]?.count ?? 0}>
          <ChangeLines kind={kind} within={first} changes={items.flatMap(section => section.items)} />
          <MoreButton query={query} />
        </ChangeSection>
      )}
    </>
  )
}

interface AllChangesProps {
  readonly time: Time
  readonly onKind: (kind: Kind) => void
}

/** The first changes of each kind, with how many there are. */
const AllChanges = ({ time, onKind }: AllChangesProps) => {
  const { data, error, refetch } = useOperation('list_changes', { time }, { keep: true })
  if (data === undefined) {
    return error === null ? <LoadingState rows={8} /> : <ErrorState error={error} retry={refetch} />
  }
  const count = data.items.reduce((sum, section) => sum + section.count, 0)
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        <PeriodText from={data.from} to={data.to} />: {counted(count, 'change')}.
      </Text>
      {count === 0 && (
        <EmptyState icon={IconHistory} title={t('Nothing changed')}>
          {t('No signal came in, and nobody decided anything in this time.')}
        </EmptyState>
      )}
      {data.items.map(({ kind, count: of, items }) => (
        <ChangeSection key={kind} title={KINDS[kind].title} count={of}>
          <ChangeLines kind={kind} within={data} changes={items} />
          {of > items.length && (kind === 'removals' || items.every(({ reference }) => reference !== null)) && (
            <Button
              size="compact-xs"
              variant="subtle"
              mt="xs"
              className={classes.more ?? ''}
              onClick={() => onKind(kind)}
              aria-label={t('Show all {of}: {title}', { of, title: KINDS[kind].title })}
            >
              {t('Show all {of}', { of: of.toLocaleString(language) })}
            </Button>
          )}
        </ChangeSection>
      ))}
    </>
  )
}

interface ChangeSectionProps {
  readonly title: string
  readonly count: number
  readonly children: ReactNode
}

const ChangeSection = ({ title, count, children }: ChangeSectionProps) => {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Title order={2} size="h3" mb="xs" id={id}>
        {title}{' '}
        <Text span inherit c="dimmed" fw={400}>
          {count.toLocaleString(language)}
        </Text>
      </Title>
      {children}
    </section>
  )
}

interface PeriodTextProps {
  /** ISO 8601. */
  readonly from: string
  readonly to: string
}

const JUST_NOW_MS = MINUTE_MS

/** From when until when, in the reader’s zone. */
const PeriodText = ({ from, to }: PeriodTextProps) => (
  <>
    {t('From {moment}', { moment: moment(from) })}{' '}
    {Date.now() - Date.parse(to) < JUST_NOW_MS
      ? rich('({when}) until now', { when: <When at={from} /> })
      : t('to {moment}', { moment: moment(to) })}
  </>
)
