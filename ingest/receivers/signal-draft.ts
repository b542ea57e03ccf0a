import type { Channel } from '../../schemas/domain/vocabulary.ts'
import { receivedSignal } from '../../schemas/events/signal.ts'
import type { Source } from '../registry/source.ts'
import { signalId } from './identity.ts'

interface Received {
  readonly source: Source
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

/**
 * A signal that came in through a source, as it goes on the log: `content` is what the normalizer gets. The same key of the same source
 * makes the same signal.
 */
export const signalDraft = (
  { source, receivedAt }: Received,
  channel: Channel,
  key: string | undefined,
  content: Parameters<typeof receivedSignal>[1],
) => {
  const identity = {
    signal_id: signalId(source.id, key),
    tenant_id: source.tenantId,
    workspace_id: source.workspaceId,
    source_id: source.id,
    channel,
    received_at: receivedAt,
  }
  return { what: 'signal' as const, record: receivedSignal(identity, content) }
}
