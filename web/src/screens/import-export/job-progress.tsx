import { language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
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
      {total !== null &&
        t(': {done} of {total}', { done: done.toLocaleString(language), total: total.toLocaleString(language) })}
      {failed > 0 && t(', {failed} refused', { failed: failed.toLocaleString(language) })}
    </RunningJob>
  )
}
