import { MINUTE_MS } from '../../../schemas/domain/durations.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import { WITH_JUDGE } from '../../operations/diagnosis/well-workspace.testing.ts'
import { walked } from '../../operations/testing-activity.ts'
import { nodeOf, SIGNALS } from './signals.ts'
import type { StoryContext } from './story.ts'

interface DeadLetter {
  readonly step: 'embed' | 'validate'
  readonly signalId: string
}

/**
 * Each signal's steps through the pipeline, with a repeat and the dead letters; one signal on its way, and refused
 * requests.
 */
export const activityRecords = (
  { id, ago }: StoryContext,
  sourceId: string,
  letters: readonly DeadLetter[],
): Partial<ActivityRecord>[] => {
  const now = Date.parse(ago(0))
  const came = { source_id: sourceId, source: 'support desk', channel: 'connection', signal_origin: 'customer' }
  return [
    ...SIGNALS.flatMap(([reference, , actor, days]) => {
      const node = nodeOf(reference)
      return walked(id(reference), 'cluster', 'next', {
        ...came,
        actor,
        node_id: node === undefined ? '' : id(`node ${node}`),
        occurred_at: Date.parse(ago(days)),
        elapsed_ms: 900,
        version: WITH_JUDGE,
      })
    }),
    ...walked(id('repeat of SIG-5'), 'dedup', 'skip', { ...came, occurred_at: Date.parse(ago(39)) }),
    ...letters.flatMap(({ step, signalId }): Partial<ActivityRecord>[] => [
      ...walked(signalId, step, 'dead', { ...came, occurred_at: now }),
      { ...came, kind: 'signal.dead_letter', subject_id: signalId, step, occurred_at: now },
    ]),
    ...walked(id('signal on its way'), 'embed', 'retry', {
      ...came,
      occurred_at: now - 10 * MINUTE_MS,
      reason: 'The model is away.',
    }),
    {
      ...came,
      kind: 'source.refused',
      reason: 'signature_differs',
      times: 12,
      occurred_at: now - 5 * MINUTE_MS,
    },
  ]
}
