import type { SignalId, TenantId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { bareSignal, type SignalRecord } from '../../../schemas/events/signal.ts'
import { textHash } from '../../signals/normalize.ts'
import { SENDERS } from './signals.ts'
import type { StoryContext } from './story.ts'

export const DEAD_LETTER_ACTOR = 'Hana'
const TEXT = 'Es klappt alles wieder, danke! Nur die Adresse auf dem Lieferschein ist noch die alte.'
export const DEAD_LETTER_DAYS = 0.6
export const DEAD_LETTER_REASON = 'The server of the model answered with HTTP status 400.'

/** Whose sandbox it is. */
export interface SandboxOwner {
  readonly tenantId: TenantId
  readonly workspaceId: WorkspaceId
}

/** The signal that died at `embed`: a model refused its text. Replayed, it goes on like any other. */
export const deadSignal = ({ id, ago }: StoryContext, { tenantId, workspaceId }: SandboxOwner): SignalRecord => {
  const { channel, source, signal_origin, actor_role } = SENDERS.mail
  const receivedAt = Date.parse(ago(DEAD_LETTER_DAYS))
  const identity = { tenant_id: tenantId, workspace_id: workspaceId, channel, received_at: receivedAt }
  return {
    // The story's ids say by their names what they identify.
    ...bareSignal({ ...identity, signal_id: id('signal that died') as SignalId, source_id: null }),
    content: {
      text: TEXT,
      text_hash: textHash(TEXT),
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
    },
    scrubbed: { version: 'sample', replaced: {} },
  }
}

/** Its row: `record` is the encoded signal. */
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
