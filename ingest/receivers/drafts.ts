import { keyedSignalId, newSignalId, type SignalId } from '../../schemas/domain/ids.ts'
import type { Channel } from '../../schemas/domain/vocabulary.ts'
import { receivedSignal } from '../../schemas/events/signal.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../schemas/http/headers.ts'
import type { SignalBody } from '../../schemas/http/signal.ts'
import { type Refusal, refusal } from '../answer.ts'
import type { Source } from '../registry/source.ts'

/**
 * A signal's id: the same for every request of the endpoint with the same key that says the same, so that a sender's
 * retry is the same signal without anything being stored for it, and a key that is used again for something else makes
 * a signal of its own. Without a key, or with an empty one, a new one.
 */
const signalId = (
  { id, workspaceId }: Pick<Source, 'id' | 'workspaceId'>,
  key: string | undefined,
  said: readonly string[],
): SignalId => (key ? keyedSignalId(workspaceId, id, key, ...said) : newSignalId(workspaceId))

/** Refuses a key that is too long to be one. */
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

/** What a signal's body says, and who says it. */
export const saidIn = ({ text, actor_name, actor_email }: SignalBody): Said => [text, actor_name, actor_email]

/**
 * A signal that came in through a source, as it goes on the log: `content` is what the normalizer gets. The same key of
 * the same source makes the same signal as long as it says the same: `said` is what a retry never changes.
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
