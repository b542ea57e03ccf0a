import { Anchor, Box } from '@mantine/core'
import { Link } from 'react-router'
import { RunningJob } from '../../parts/running-job.tsx'
import type { Job } from './review.ts'

interface Props {
  readonly job: Job
  readonly canCancel: boolean
}

/** How far a review is. */
export const Preparing = ({ job, canCancel }: Props) => {
  const { id, about, done, total } = job
  const name = about ?? 'The review'
  return (
    <Box mb="lg" className="reading">
      <RunningJob
        job={job}
        label={`Preparing ${name}`}
        canCancel={canCancel}
        invalidates={['list_jobs', 'read_review']}
      >
        <Anchor component={Link} to={`/app/reviews/${id}`} inherit underline="always">
          <bdi>{name}</bdi>
        </Anchor>{' '}
        is being prepared: {done} of {total ?? '…'} parts
      </RunningJob>
    </Box>
  )
}
