import { runningJob } from '../../../model/jobs/jobs.ts'
import type { Transaction } from '../define.ts'

const ERASING =
  'Something is being erased: until job erase ends, lists have already less of it than the activity counts. service_support mode jobs shows how far it is.'

/**
 * A note on counts of signals while an erasure deletes some from one store after another, the database first and the
 * activity last; null when none runs.
 */
export const erasingNote = async (transaction: Transaction): Promise<string | null> =>
  (await runningJob(transaction, 'erase')) === undefined ? null : ERASING
