import { keyedSignalId, newSignalId, type SignalId } from '../../schemas/domain/ids.ts'
import type { Channel } from '../../schemas/domain/vocabulary.ts'
import { receivedSignal } from '../../schemas/events/signal.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../schemas/http/headers.ts'
import type { SignalBody } from '../../schemas/http/signal.ts'
import { type Refusal, refusal } from '../answer.ts'
import type { Source } from '../registry/source.ts'

/**
 * A signal's id, derived from endpoint, key and content: a retry gives the same id without anything being stored, and a
 * key that is reused for other content gives another id. Without a key, or with an empty one, the id is new.
 */
const signalId = (
  { id, workspaceId }: Pick<Source, 'id' | 'workspaceId'>,
  key: string | undefined,
  said: readonly string[],
): SignalId => (key ? keyedSignalId(workspaceId, id, key, ...said) : newSignalId(workspaceId))

/** Refuses a key that is too long. */
export const checkKey = (header: string, key: string | undefined): Refusal | null =>
  key === undefined || key.length <= MAX_IDEMPOTENCY_KEY_LENGTH
    ? null
    : refusal(400, 'invalid_key', `The ${header} header must have at most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`)

interface Received {
  readonly source: Source
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

type Said = readonly (string | null | undefined)[]

/** The text and speaker in a signal's body. */
export const saidIn = ({ text, actor_name, actor_email }: SignalBody): Said => [text, actor_name, actor_email]

/**
 * A signal of a source as it goes on the log. `content` is the normalizer's input. `said` is what a retry never
 * changes: the same source, key and `said` make the same signal.
 */
export const signalDraft = (
  { source, receivedAt }: Received,
  channel: Channel,
  key: string | undefined,
  said: Said,
  content: Parameters<typeof receivedSignal>[1],
) => {
  const identity = {
    signal_id: signalId(
      source,
      key,
      said.map(part => part ?? ''),
    ),
    tenant_id: source.tenantId,
    workspace_id: source.workspaceId,
    source_id: source.id,
    channel,
    received_at: receivedAt,
  }
  return { what: 'signal' as const, record: receivedSignal(identity, content) }
}
