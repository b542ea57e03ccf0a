import type { Codec } from '../../../infra/log/codec.ts'
import type { Sealer } from '../../../infra/runtime/secrets.ts'
import type { StoredDeadLetter } from '../../../model/erasures/dead-letters.ts'
import type { Sought, SoughtAgain } from '../../../model/erasures/erasures.ts'
import { actorOf } from '../../../model/erasures/marks.ts'
import { normalizeAddress } from '../../../model/signals/normalize.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { recordOf } from '../../sinks/dead-letters/replay-dead-letters.ts'

export interface DeadLetterReader {
  readonly signalCodec: Pick<Codec<SignalRecord>, 'decode'>
  readonly sealer: Pick<Sealer, 'unseal'>
  readonly actorKey: (address: string) => string
}

/** Whether a dead letter is of what is to be erased. What was not scrubbed yet says the address itself. */
export const isSought = async (
  letter: StoredDeadLetter,
  sought: Exclude<Sought, { readonly what: 'age' | 'import' }>,
  before: Date,
  { signalCodec, sealer, actorKey }: DeadLetterReader,
): Promise<boolean> => {
  if (sought.what === 'signal') return letter.signal_id === sought.signalId
  const record = recordOf(letter, sealer)
  const signal = await signalCodec.decode(record).catch(() => null)
  // Bytes that are no record: of nobody, unless the address stands in them.
  if (signal === null) return holds(Buffer.from(record).toString('utf8'), addressesOf(sought))
  if (sought.what === 'source') return signal.source_id === sought.sourceId
  if (sought.what === 'again' && isNamed(signal, sought)) return true
  if (signal.received_at >= before.getTime()) return false
  const actors = actorsOf(sought, actorKey)
  return saidBy(signal, actorKey).some(actor => actors.includes(actor)) || holds(writtenIn(signal), addressesOf(sought))
}

const isNamed = ({ signal_id, source_id }: SignalRecord, { signalIds, sourceIds }: SoughtAgain): boolean =>
  signalIds.includes(signal_id) || (source_id !== null && sourceIds.includes(source_id))

/**
 * Those that were chosen among the senders of what is stored. An address is one actor, too, who may have sent nothing
 * but what waits: nobody could choose them.
 */
export const actorsOf = (
  sought: Extract<Sought, { readonly actors: unknown }>,
  actorKey: (address: string) => string,
): readonly string[] => {
  if (sought.what === 'again' || sought.address === null) return sought.actors
  return [...new Set([...sought.actors, actorKey(normalizeAddress(sought.address))])]
}

const addressesOf = (sought: Sought): readonly string[] => {
  if (sought.what === 'again') return sought.addresses
  return sought.what === 'person' && sought.address !== null ? [sought.address] : []
}

const holds = (text: string, addresses: readonly string[]): boolean =>
  addresses.some(address => text.toLowerCase().includes(normalizeAddress(address)))

export const writtenIn = ({ content, received }: SignalRecord): string =>
  `${received?.body ?? ''} ${JSON.stringify(content ?? '')}`

/** Who said it, before and after the address was made a key. */
export const saidBy = (signal: SignalRecord, actorKey: (address: string) => string): readonly string[] => {
  const { content, received } = signal
  if (content !== null) {
    const ofAddress = content.actor_email?.includes('@') ? [actorKey(normalizeAddress(content.actor_email))] : []
    return [actorOf({ ...signal, content }), ...ofAddress]
  }
  if (received?.format !== 'signal') return []
  const body: unknown = JSON.parse(received.body)
  if (typeof body !== 'object' || body === null) return []
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
  const { actor_email, actor_name, source } = body as Record<string, unknown>
  const address = text(actor_email)
  const actor_key = address === null ? null : actorKey(normalizeAddress(address))
  return [actorOf({ ...signal, content: { actor_key, actor_name: text(actor_name), source: text(source) } })]
}
