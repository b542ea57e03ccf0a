import { RunningJob } from '../../parts/running-job.tsx'
import type { Job } from './transfer.ts'

interface Props {
  readonly of: Job
  /** What it does, as a verb: `Importing`. */
  readonly doing: string
  readonly canCancel: boolean
}

/** How far reading or writing a file is. */
export const JobProgress = ({ of: job, doing, canCancel }: Props) => {
  const { done, total, failed } = job
  return (
    <RunningJob job={job} label={doing} canCancel={canCancel} invalidates={['list_transfers']}>
      {doing}
      {total !== null && `: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`}
      {failed > 0 && `, ${failed.toLocaleString('en')} refused`}
    </RunningJob>
  )
}
