import type { Output } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { RunningJob } from '../../parts/running-job.tsx'

/** A file that was brought or made, as the service lists it. */
export type Transfer = Output<'list_transfers'>['items'][number]
export type Job = NonNullable<Transfer['job']>
export type Reading = NonNullable<Output<'preview_import'>['reading']>
export type Sample = Output<'preview_import'>['sample'][number]

/** The job that is at work on it; undefined for none. */
export const runningJob = ({ job, check }: Transfer): Job | undefined =>
  [job, check].find(each => each?.state === 'running') ?? undefined

/** Whether it still waits for somebody to say what becomes of it. */
export const waits = ({ direction, state, has_file }: Transfer): boolean =>
  direction === 'import' && state === 'ready' && has_file

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
