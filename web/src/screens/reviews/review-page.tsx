import { Anchor, Button, Group, SimpleGrid } from '@mantine/core'
import { IconCopy, IconPrinter, IconReportOff } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCanEdit, useOperation } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { copyText } from '../../parts/copyable.tsx'
import { Figure } from '../../parts/lists.tsx'
import { OWN_ZONE } from '../../parts/own-zone.ts'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useKeys } from '../../shell/keys.ts'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import { changeOf } from '../explore/vocabulary.ts'
import { ClaimsPart, SignalsPart } from './evidence-parts.tsx'
import { formatMoment, formatPeriod } from './periods.ts'
import {
  changesOf,
  EvidenceLink,
  type Figures,
  type Job,
  MetricsPart,
  Preparing,
  type Review,
  signalsOf,
  type Times,
} from './review-parts.tsx'
import classes from './reviews.module.css'
import { OutcomesPart, SolutionsPart } from './solutions-part.tsx'

const REFRESH_MS = 700

/** One review as it was saved; until then, how far it is. */
export const ReviewPage = ({ id }: { readonly id: string }) => {
  const [running, setRunning] = useState(false)
  const canEdit = useCanEdit()
  const { data, error, refetch } = useOperation('read_review', { id }, { refresh_ms: running ? REFRESH_MS : false })
  const isRunning = data?.job?.state === 'running'
  if (isRunning !== running) setRunning(isRunning)
  const review = data?.review ?? null
  const job = data?.job ?? null
  return (
    <div className={classes.review}>
      <Page width="reading">
        <Anchor component={Link} to="/app/reviews" size="sm" display="inline-block" mb="sm" data-chrome>
          {t('Product Reviews')}
        </Anchor>
        <PageHeader
          title={review?.title ?? job?.about ?? t('Product Review')}
          awaits={data === undefined && error === null}
          about={review !== null && <ReviewFacts review={review} />}
        >
          {review !== null && <ReviewActions review={review} />}
        </PageHeader>
        {data === undefined &&
          (error === null ? <LoadingState rows={8} height={48} /> : <ErrorState error={error} retry={refetch} />)}
        {job !== null && (isRunning ? <Preparing job={job} canCancel={canEdit} /> : <CameToNothing job={job} />)}
        {review !== null && <ReviewReport review={review} />}
      </Page>
    </div>
  )
}

const CameToNothing = ({ job: { state, message, cancelled_by } }: { readonly job: Job }) => (
  <EmptyState
    icon={IconReportOff}
    title={state === 'cancelled' ? t('This review was cancelled') : t('This review could not be prepared')}
  >
    {cancelled_by !== null && (
      <>{rich('By {cancelled_by}; nothing was saved.', { cancelled_by: <bdi>{cancelled_by}</bdi> })} </>
    )}
    {state === 'failed' && message}
  </EmptyState>
)

/** The time that a review is of, what it is compared with, and whose it is. */
const ReviewFacts = ({ review }: { readonly review: Review }) => {
  const { period_from, period_to, previous_period_from, prepared_by, prepared_at } = review
  return (
    <>
      {t('{period_from}, compared with the same time before, from {previous_period_from}', {
        period_from: formatPeriod(period_from, period_to, OWN_ZONE),
        previous_period_from: formatMoment(previous_period_from, OWN_ZONE),
      })}
      <br />
      {rich(
        'Prepared by {prepared_by} on {prepared_at}<span>. The figures stay as they were then; their links show what is known by now.</span>',
        {
          prepared_by: <bdi>{prepared_by}</bdi>,
          prepared_at: formatMoment(prepared_at, OWN_ZONE),
          span: inner => <span data-chrome>{inner}</span>,
        },
      )}
    </>
  )
}

/** A review from its key figures to its metrics, each number with the way to its evidence. */
const ReviewReport = ({ review }: { readonly review: Review }) => {
  const { figures } = review
  return (
    <>
      <KeyFigures figures={figures} times={review} />
      <SignalsPart signals={figures.signals} times={review} />
      <ClaimsPart claims={figures.claims} times={review} />
      <SolutionsPart solutions={figures.solutions} times={review} />
      <OutcomesPart outcomes={figures.outcomes} times={review} />
      <MetricsPart metrics={figures.metrics} />
    </>
  )
}

/** Taking a review along: on paper, or as the Markdown that agents read. */
const ReviewActions = ({ review: { text } }: { readonly review: Review }) => {
  const copy = async () => {
    if (await copyText(text)) notifyDone(t('The review is copied as Markdown.'))
    else notifyFailed(new Error('The browser did not let the page copy.'))
  }
  useKeys([{ key: 'p', does: t('Print the review'), run: () => print() }])
  return (
    <Group gap="sm" data-chrome>
      <Button size="xs" variant="default" leftSection={<IconCopy size={14} />} onClick={copy}>
        {t('Copy as Markdown')}
      </Button>
      <Button size="xs" leftSection={<IconPrinter size={14} />} onClick={() => print()}>
        {t('Print')}
      </Button>
    </Group>
  )
}

interface KeyFiguresProps {
  readonly figures: Figures
  readonly times: Times
}

/** What a time comes to, in six numbers beside those of the time before. */
const KeyFigures = ({ figures: { signals, claims, solutions, outcomes, ...rest }, times }: KeyFiguresProps) => {
  const shown = [
    { label: t('Signals'), value: signals.count, before: signals.previous_count, to: signalsOf(times) },
    {
      label: t('New claims'),
      value: claims.new_count,
      before: claims.previous_new_count,
      to: changesOf('claims_appeared', times),
    },
    { label: t('Merges'), value: claims.merged, before: claims.previous_merged, to: changesOf('merges', times) },
    {
      label: t('Solutions moved'),
      value: solutions.changes,
      before: solutions.previous_changes,
      to: changesOf('solutions', times),
    },
    {
      label: t('Decisions'),
      value: rest.decisions,
      before: rest.previous_decisions,
      to: changesOf('decisions', times),
    },
    { label: t('Outcomes'), value: outcomes.count, before: outcomes.previous_count, to: changesOf('outcomes', times) },
  ]
  return (
    <SimpleGrid component="dl" cols={{ base: 2, xs: 3, lg: 6 }} spacing="lg" m={0} className={classes.figures ?? ''}>
      {shown.map(({ label, value, before, to }) => (
        <Figure
          key={label}
          label={label}
          value={<EvidenceLink to={to}>{value.toLocaleString(language)}</EvidenceLink>}
          about={before === undefined ? undefined : beforeSaid(value, before)}
        />
      ))}
    </SimpleGrid>
  )
}

/** Below it a percentage says more than there is to say. */
const ENOUGH_TO_COMPARE = 10

const beforeSaid = (value: number, before: number): string => {
  const change = before < ENOUGH_TO_COMPARE ? null : changeOf(value, before)
  return t('{before} before{what}', {
    before: before.toLocaleString(language),
    what: change === null || value === before ? '' : `, ${change}`,
  })
}
