import type { Channel } from '../../schemas/domain/vocabulary.ts'
import { receivedSignal } from '../../schemas/events/signal.ts'
import type { SignalBody } from '../../schemas/http/signal.ts'
import type { Source } from '../registry/source.ts'
import { signalId } from './identity.ts'

interface Received {
  readonly source: Source
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

type Said = readonly (string | null | undefined)[]

/** What a signal's body says, and who says it. */
export const saidIn = ({ text, actor_name, actor_email }: SignalBody): Said => [text, actor_name, actor_email]

/**
 * A signal that came in through a source, as it goes on the log: `content` is what the normalizer gets. The same key of the same source
 * makes the same signal as long as it says the same: `said` is what a retry never
 * changes.
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
