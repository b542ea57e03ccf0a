import type { Codec } from '../../../infra/log/codec.ts'
import type { Sealer } from '../../../infra/runtime/secrets.ts'
import type { StoredDeadLetter } from '../../../model/erasures/dead-letters.ts'
import type { Sought, SoughtAgain } from '../../../model/erasures/erasures.ts'
import { actorOf } from '../../../model/erasures/tombstones.ts'
import { normalizeAddress } from '../../../model/signals/normalize.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { recordOf } from '../../sinks/dead-letters/replay-dead-letters.ts'

export interface DeadLetterReader {
  readonly signalCodec: Pick<Codec<SignalRecord>, 'decode'>
  readonly sealer: Pick<Sealer, 'unseal'>
  readonly actorKey: (address: string) => string
}

/** True when a dead letter belongs to what is erased. A letter that was not scrubbed has the address in clear. */
export const isSought = async (
  letter: StoredDeadLetter,
  sought: Exclude<Sought, { readonly what: 'age' | 'import' }>,
  before: Date,
  { signalCodec, sealer, actorKey }: DeadLetterReader,
): Promise<boolean> => {
  if (sought.what === 'signal') return letter.signal_id === sought.signalId
  const record = recordOf(letter, sealer)
  const signal = await signalCodec.decode(record).catch(() => null)
  // Bytes that are no record belong to nobody, unless they contain the address.
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
 * Actors that were chosen among stored senders, and the actor of the sought address: its only signals may be dead
 * letters, so nobody could choose it.
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

/** The signal's actors: by the address's key, and by the clear address before it was replaced. */
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
