import { Anchor, Box } from '@mantine/core'
import { Link } from 'react-router'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { RunningJob } from '../../parts/running-job.tsx'
import type { Job } from './review.ts'

interface Props {
  readonly job: Job
  readonly canCancel: boolean
}

/** How far a review is. */
export const Preparing = ({ job, canCancel }: Props) => {
  const { id, about, done, total } = job
  const name = about ?? t('The review')
  return (
    <Box mb="lg" className="reading">
      <RunningJob
        job={job}
        label={t('Preparing {name}', { name })}
        canCancel={canCancel}
        invalidates={['list_jobs', 'read_review']}
      >
        {rich('{link} is being prepared: {done} of {total} parts', {
          link: (
            <Anchor component={Link} to={`/app/reviews/${id}`} inherit underline="always">
              <bdi>{name}</bdi>
            </Anchor>
          ),
          done,
          total: total ?? '…',
        })}
      </RunningJob>
    </Box>
  )
}
