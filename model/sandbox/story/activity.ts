import { derivedId, type EventId, type SignalId, type TenantId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import { type ActivityRecord, activity } from '../../../schemas/events/activity.ts'
import { bareSignal, NO_CUTS, type SignalRecord } from '../../../schemas/events/signal.ts'
import { textHash } from '../../signals/normalize.ts'
import { DAYS, METRICS } from './product.ts'
import { REPEATS, SENDERS, SIGNALS, sampleSignals } from './signals.ts'
import type { StoryContext } from './story.ts'

const DEAD_LETTER_ACTOR = 'Hana'
const DEAD_LETTER_TEXT = 'Es klappt alles wieder, danke! Nur die Adresse auf dem Lieferschein ist noch die alte.'
const DEAD_LETTER_DAYS = 0.6
const DEAD_LETTER_REASON = 'The server of the model answered with HTTP status 400.'

/** Tenant and workspace of the sandbox. */
interface SandboxOwner {
  readonly tenantId: TenantId
  readonly workspaceId: WorkspaceId
}

/** The signal that died at `embed`, because a model refused its text. A replay succeeds. */
export const deadSignal = ({ id, ago }: StoryContext, { tenantId, workspaceId }: SandboxOwner): SignalRecord => {
  const { channel, source, signal_origin, actor_role } = SENDERS.mail
  const receivedAt = Date.parse(ago(DEAD_LETTER_DAYS))
  const identity = { tenant_id: tenantId, workspace_id: workspaceId, channel, received_at: receivedAt }
  return {
    // The names of the story's ids tell their types.
    ...bareSignal({ ...identity, signal_id: id('signal that died') as SignalId, source_id: null }),
    content: {
      text: DEAD_LETTER_TEXT,
      text_hash: textHash(DEAD_LETTER_TEXT),
      event: null,
      source,
      source_url: null,
      actor_name: DEAD_LETTER_ACTOR,
      actor_email: null,
      actor_key: DEAD_LETTER_ACTOR.toLowerCase(),
      signal_origin,
      actor_role,
      occurred_at: receivedAt,
      metadata: '{}',
      ...NO_CUTS,
    },
    scrubbed: { version: 'sample', replaced: {} },
  }
}

/** Row of the dead letter; `record` is the encoded signal. */
export const deadLetterRow = ({ id, ago }: StoryContext, record: Uint8Array) => ({
  signal_id: id('signal that died'),
  step: 'embed',
  topic: 'signals.embed',
  fault: 'ours',
  error_class: 'invalid_input',
  message: DEAD_LETTER_REASON,
  attempts: 1,
  first_failed_at: ago(DEAD_LETTER_DAYS),
  last_failed_at: ago(DEAD_LETTER_DAYS),
  sealed: false,
  record: `\\x${Buffer.from(record).toString('hex')}`,
})

type Known = Partial<ActivityRecord> & Pick<ActivityRecord, 'kind' | 'occurred_at'>

/** Duration of a step, ms, equal each time the story is told. */
const duration = (step: number, number: number): number => [1, 2, 4, 38, 6, 9, 3, 7, 24][step] ?? 1 + (number % 5)

/** Activity of a signal up to the step `last`, with its outcome there. */
const recordedSteps = (subject: string, number: number, last: StepName, outcome: string, known: Known): Known[] => {
  const steps = STEPS.slice(0, STEPS.indexOf(last) + 1)
  const of = { ...known, subject_id: subject }
  return [
    { ...of, kind: 'signal.received' },
    ...steps.map(
      (step, index): Known => ({
        ...of,
        kind: 'signal.step',
        step,
        step_ordinal: index + 1,
        outcome: step === last ? outcome : 'next',
        version: 'sample',
        duration_ms: duration(index, number),
        elapsed_ms: steps.slice(0, index + 1).reduce((sum, _, before) => sum + duration(before, number), 12),
      }),
    ),
  ]
}

/** Activity of every signal and repeat, and of the other requests, refused ones included. */
export const activityRecords = ({ id, ago }: StoryContext, workspaceId: WorkspaceId): ActivityRecord[] => {
  const at = (days: number): number => Date.parse(ago(days))
  const died = {
    ...SENDERS.mail,
    kind: 'signal.received',
    occurred_at: at(DEAD_LETTER_DAYS),
    actor: DEAD_LETTER_ACTOR.toLowerCase(),
  } as const
  const records: Known[] = [
    ...sampleSignals().flatMap(({ name, number, actor, days, sender, node, classification }) =>
      recordedSteps(id(`signal ${name}`), number, 'cluster', 'next', {
        ...SENDERS[sender],
        kind: 'signal.received',
        occurred_at: at(days),
        source_id: id(`source ${sender}`),
        actor: actor.toLowerCase(),
        classification,
        node_id: node === null ? '' : id(`node ${node}`),
      }),
    ),
    ...REPEATS.flatMap(([name, actor, days], index) =>
      recordedSteps(id(`repeat of ${name} by ${actor}`), index, 'dedup', 'skip', {
        ...SENDERS[SIGNALS[name][2]],
        kind: 'signal.received',
        occurred_at: at(days),
        source_id: id(`source ${SIGNALS[name][2]}`),
        actor: actor.toLowerCase(),
      }),
    ),
    ...sampleSignals()
      .filter(({ sender }) => sender === 'code')
      .map(
        ({ days }): Known => ({
          kind: 'code_host.event',
          occurred_at: at(days),
          source_id: id('source code'),
          source: SENDERS.code.source,
          channel: 'code_host',
          outcome: 'release',
        }),
      ),
    ...Object.keys(METRICS).flatMap(name =>
      DAYS.map(
        (days): Known => ({
          kind: 'metric.received',
          occurred_at: at(days),
          subject_id: id(`metric ${name}`),
          source_id: id(`metric ${name}`),
          source: name,
          channel: 'metric',
          outcome: 'accepted',
        }),
      ),
    ),
    ...recordedSteps(id('signal that died'), 0, 'embed', 'dead', died),
    {
      ...died,
      kind: 'signal.dead_letter',
      subject_id: id('signal that died'),
      step: 'embed',
      step_ordinal: STEPS.indexOf('embed') + 1,
      outcome: 'ours',
      reason: DEAD_LETTER_REASON,
      version: 'sample',
      elapsed_ms: 60,
    },
    ...[6, 2, 0.4].map(
      (days, index): Known => ({
        kind: 'source.refused',
        occurred_at: at(days),
        source_id: id('source survey'),
        source: 'survey tool',
        channel: 'connection',
        reason: 'signature_differs',
        times: 3 + index,
      }),
    ),
  ]
  return records.map((known, index) =>
    activity({
      ...known,
      event_id: derivedId<EventId>('sample event', id('story'), String(index)),
      workspace_id: workspaceId,
    }),
  )
}
