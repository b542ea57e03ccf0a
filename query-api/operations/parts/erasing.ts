import { runningJob } from '../../../model/jobs/jobs.ts'
import type { Transaction } from '../define.ts'

const ERASING =
  'Something is being erased: until job erase ends, lists have already less of it than the activity counts. service_support mode jobs shows how far it is.'

/**
 * What to know of a count of Signals while an erasure takes some of them out of one store after another, the database
 * first and the activity last; null while none runs.
 */
export const erasingNote = async (transaction: Transaction): Promise<string | null> =>
  (await runningJob(transaction, 'erase')) === undefined ? null : ERASING
