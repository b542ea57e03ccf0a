import { measureNow } from '../infra/runtime/measured-now.ts'
import type { Metrics } from '../infra/runtime/metrics.ts'
import { shareConcurrentRuns } from '../infra/runtime/promises.ts'
import type { UnfinishedWork } from '../model/installation/unfinished-work.ts'

const GAUGES = [
  ['mails_waiting', 'assay_mails_waiting', 'Mails that no mail server has taken yet'],
  ['mails_oldest_seconds', 'assay_mails_oldest_age_seconds', 'How long the oldest of them waits; 0 where none does'],
  ['mails_failed', 'assay_mails_failed', 'Mails of the last day that were refused for good, or not sent in time'],
  ['erasures_waiting', 'assay_erasures_waiting', 'Erasures that are under way or wait for a processor'],
  [
    'erasures_oldest_seconds',
    'assay_erasures_oldest_age_seconds',
    'How long the oldest of them takes; 0 where none is',
  ],
  ['erasures_failed', 'assay_erasures_failed', 'Workspaces whose last erasure has failed'],
] as const

/**
 * Waiting work outside of the pipeline. Every replica of the query API reports the same values, with one query at each
 * scrape.
 */
export const measureUnfinishedWork = (
  metrics: Pick<Metrics, 'registry'>,
  readNow: () => Promise<UnfinishedWork>,
): void => {
  const read = shareConcurrentRuns(readNow)
  for (const [field, name, help] of GAUGES) measureNow(metrics, { name, help, read: async () => (await read())[field] })
}
