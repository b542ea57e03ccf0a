import { Anchor, Group } from '@mantine/core'
import { IconReportOff } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useOperation } from '../../api/hooks.ts'
import { useCanEdit } from '../../api/use-role.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Preparing } from './preparing.tsx'
import type { Job } from './review.ts'
import { ReviewActions } from './review-actions.tsx'
import { ReviewFacts } from './review-facts.tsx'
import { ReviewReport } from './review-report.tsx'
import classes from './reviews.module.css'

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
        <Group justify="space-between" mb="sm" data-chrome>
          <Anchor component={Link} to="/app/reviews" size="sm">
            Product Reviews
          </Anchor>
          {review !== null && <ReviewActions review={review} />}
        </Group>
        <PageHeader
          title={review?.title ?? job?.about ?? 'Product Review'}
          about={review !== null && <ReviewFacts review={review} />}
        />
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
    title={state === 'cancelled' ? 'This review was cancelled' : 'This review could not be prepared'}
  >
    {cancelled_by !== null && (
      <>
        By <bdi>{cancelled_by}</bdi>; nothing was saved.{' '}
      </>
    )}
    {state === 'failed' && message}
  </EmptyState>
)
