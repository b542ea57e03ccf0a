import { firstMarkedDuplicate } from '../../../model/duplicates/occurrences.ts'
import { refuseMoved } from '../../../model/references/moved.ts'
import { resolveItself, resolveOne } from '../../../model/references/resolve.ts'
import { readSignals } from '../../../model/signals/read-signals.ts'
import { type LockedSignal, lockSignals } from '../../../model/triage/triage.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import { AssayError, type Transaction, throwDeleted } from '../define.ts'
import { type SignalShape, toSignal } from '../parts/signal-shape.ts'

/**
 * Finds and locks a signal. Throws `not_found`, and `conflict` when it is another signal's repeat or the caller read
 * another version.
 */
export const lockSignal = async (
  transaction: Transaction,
  identifier: string,
  version: number | undefined,
): Promise<LockedSignal> => {
  const { id } = await resolveOne(transaction, 'signal', identifier)
  return unchangedSince(version, (await lockSignals(transaction, [id])).get(id) ?? throwDeleted('Signal'))
}

/** The same for a signal that may be a repeat, for actions that undo the mark. */
export const lockSignalItself = async (
  transaction: Transaction,
  identifier: string,
  version: number | undefined,
): Promise<LockedSignal> => {
  const { id, moved } = await resolveItself(transaction, 'signal', identifier)
  const locked = (await lockSignals(transaction, [id])).get(id)
  if (locked !== undefined) return unchangedSince(version, locked)
  throw moved === null ? throwDeleted('Signal') : refuseMoved(moved)
}

const unchangedSince = (version: number | undefined, locked: LockedSignal): LockedSignal => {
  if (version === undefined || version === locked.version) return locked
  const { text: _, classification_version: __, speaks_as: ___, ...current } = locked
  throw new AssayError(
    'conflict',
    `${locked.reference} has changed: you read version ${version}, it is at ${locked.version}. Nothing was written.`,
    { context: { current } },
  )
}

export interface RequestedSignal {
  readonly signal_id: string
  /** The version that the caller read; any version when absent. */
  readonly version?: number | undefined
}

/**
 * Locks the signals in the given order, without duplicates. Throws `not_found` for the first missing one, and
 * `conflict` when one is another signal's repeat or the caller read another version.
 */
export const lockRequestedSignals = async (
  transaction: Transaction,
  requestedSignals: readonly RequestedSignal[],
): Promise<readonly LockedSignal[]> => {
  const versions = new Map<string, number | undefined>()
  for (const { signal_id, version } of requestedSignals) versions.set(await idOf(transaction, signal_id), version)
  const locked = await lockSignals(transaction, [...versions.keys()])
  const signals = [...versions.keys()].flatMap(id => locked.get(id) ?? [])
  const repeated = await firstMarkedDuplicate(
    transaction,
    signals.map(({ id }) => id),
  )
  // A single look-up throws the precise refusal.
  const refused = repeated?.id ?? [...versions.keys()].find(id => !locked.has(id))
  if (refused !== undefined) await resolveOne(transaction, 'signal', refused)
  refuseStale(signals.filter(({ id, version }) => (versions.get(id) ?? version) !== version))
  return signals
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The lock looks up all ids at once; references are looked up one by one. */
const idOf = async (transaction: Transaction, given: string): Promise<string> =>
  UUID.test(given) ? given.toLowerCase() : (await resolveOne(transaction, 'signal', given)).id

const MAX_NAMED = 5

const refuseStale = (stale: readonly LockedSignal[]): void => {
  if (stale.length === 0) return
  throw new AssayError(
    'conflict',
    `${namesOf(stale)} ${stale.length === 1 ? 'has' : 'have'} changed since you read the list. Nothing was written: look again, then decide.`,
    {
      context: {
        changed: stale.map(({ id, reference: name, state, classification, version }) => ({
          id,
          reference: name,
          state,
          classification,
          version,
        })),
      },
    },
  )
}

/** `SIG-7`, `SIG-7 and SIG-9`, `SIG-1, SIG-2, SIG-3, SIG-4, SIG-5 and 7 others`. */
export const namesOf = (signals: readonly Pick<LockedSignal, 'reference'>[]): string => {
  const names = signals.slice(0, MAX_NAMED).map(signal => signal.reference)
  const others = signals.length - names.length
  const last = others > 0 ? `${others} ${others === 1 ? 'other' : 'others'}` : names.pop()
  return names.length === 0 ? String(last) : `${names.join(', ')} and ${last}`
}

export const verbFor = (several: readonly unknown[]): 'are' | 'is' => (several.length === 1 ? 'is' : 'are')

/** The signals as answers show them, in the given order. */
export const shownSignals = async (transaction: Transaction, ids: readonly SignalId[]): Promise<SignalShape[]> => {
  const shown = new Map((await readSignals(transaction, ids)).map(row => [row.id, toSignal(row, 'summary')]))
  return ids.flatMap(id => shown.get(id) ?? [])
}

/** The signal as answers show it. */
export const shownSignal = async (transaction: Transaction, id: SignalId): Promise<SignalShape> =>
  (await shownSignals(transaction, [id]))[0] ?? throwDeleted('Signal')
