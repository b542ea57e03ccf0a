import type { Log, OutgoingRecord, SchemaRegistry } from '../../infra/log/port.ts'
import { formatTraceparent, newTrace } from '../../infra/runtime/traces.ts'
import { createCodecs } from '../../model/codecs.ts'
import { receivedRecord } from '../../model/signals/received-signals.ts'
import { newId, type SignalId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { receivedSignal } from '../../schemas/events/signal.ts'
import type { Lane } from '../../schemas/events/topics.ts'

const AT_ONCE = 500

/** Puts signals of these texts into the log as the edge does, spread evenly over the workspaces. */
export const appendSignals = async (
  log: Log,
  registry: SchemaRegistry,
  workspaceIds: readonly WorkspaceId[],
  texts: readonly string[],
  lane: Lane = 'live',
): Promise<void> => {
  const { signalCodec } = createCodecs(registry)
  const tenantId = newId<TenantId>()
  for (let begin = 0; begin < texts.length; begin += AT_ONCE) {
    const records = texts.slice(begin, begin + AT_ONCE).map(async (text, offset): Promise<OutgoingRecord> => {
      const workspaceId = workspaceIds[(begin + offset) % workspaceIds.length]
      if (workspaceId === undefined) throw new TypeError('There is no workspace to send to.')
      const identity = {
        signal_id: newId<SignalId>(),
        tenant_id: tenantId,
        workspace_id: workspaceId,
        source_id: null,
        channel: 'webhook' as const,
        received_at: Date.now(),
      }
      const body = JSON.stringify({
        text,
        source: 'benchmark',
        actor_email: `person-${(begin + offset) % 997}@example.com`,
      })
      const signal = receivedSignal(identity, { format: 'signal', body })
      return receivedRecord(signalCodec, signal, formatTraceparent(newTrace()), () => lane)
    })
    await log.append(await Promise.all(records))
  }
}
