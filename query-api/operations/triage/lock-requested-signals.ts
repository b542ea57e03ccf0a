import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { SELECT_SIGNALS, type SignalRow } from '../../../model/signals/read-signals.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { type SignalShape, toSignal } from '../parts/signal-shape.ts'
import { type LockedSignal, lockSignals, type SignalFields } from './locked-signal.ts'

export interface RequestedSignal {
  readonly signal_id: string
  readonly version: number
}

/**
 * Holds the Signals in the order given, each once. Throws `not_found` for the first that is not there, and `conflict` when another version of any
 * was read.
 */
export const lockRequestedSignals = async (
  transaction: Transaction,
  requestedSignals: readonly RequestedSignal[],
): Promise<readonly LockedSignal[]> => {
  const versions = new Map(requestedSignals.map(({ signal_id, version }) => [signal_id.toLowerCase(), version]))
  const locked = await lockSignals(transaction, [...versions.keys()])
  for (const id of versions.keys()) if (!locked.has(id)) throw await missing(transaction, id)
  const signals = [...versions.keys()].flatMap(id => locked.get(id) ?? [])
  refuseStale(signals.filter(({ id, version }) => versions.get(id) !== version))
  return signals
}

/** A repeat that came in as one has no row of its own; the id of anything else is unknown. */
const missing = async (transaction: Transaction, id: string): Promise<AssayError> => {
  const { reference: original } = await resolveOne(transaction, 'signal', id)
  return new AssayError('conflict', `${id} is counted as a repeat of ${original}: decide on that. Nothing was written.`)
}

const MOST_NAMED = 5

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
  const names = signals.slice(0, MOST_NAMED).map(signal => signal.reference)
  const others = signals.length - names.length
  const last = others > 0 ? `${others} ${others === 1 ? 'other' : 'others'}` : names.pop()
  return names.length === 0 ? String(last) : `${names.join(', ')} and ${last}`
}

const SET_SIGNALS = `
  update signals set
    state = coalesce($2, state), classification = coalesce($3, classification),
    classification_confidence = coalesce($4, classification_confidence),
    classification_version = coalesce($5, classification_version),
    version = version + 1
  where id = any ($1::uuid[])`

/** Writes the same fields to all. */
export const setSignals = async (
  transaction: Transaction,
  signals: readonly LockedSignal[],
  fields: Partial<SignalFields>,
): Promise<void> => {
  await transaction.query(SET_SIGNALS, [
    signals.map(({ id }) => id),
    fields.state ?? null,
    fields.classification ?? null,
    fields.classification_confidence ?? null,
    fields.classification_version ?? null,
  ])
}

const SIGNALS = `${SELECT_SIGNALS} where signals.id = any ($1::uuid[])`

/** The Signals as answers show them, in the order given. */
export const shownSignals = async (transaction: Transaction, ids: readonly SignalId[]): Promise<SignalShape[]> => {
  const rows = await transaction.query<SignalRow>(SIGNALS, [ids])
  const shown = new Map(rows.map(row => [row.id, toSignal(row, 'summary')]))
  return ids.flatMap(id => shown.get(id) ?? [])
}

const WITH_CLAIMS = `
  select signal_id, number from claim_evidence join claims on claims.id = claim_id
  where signal_id = any ($1::uuid[]) order by number`

/** The first claim of each Signal that is evidence of one. */
export const firstClaims = async (
  transaction: Transaction,
  signals: readonly LockedSignal[],
): Promise<ReadonlyMap<SignalId, string>> => {
  const rows = await transaction.query<{ signal_id: SignalId; number: number }>(WITH_CLAIMS, [
    signals.map(({ id }) => id),
  ])
  const first = new Map<SignalId, string>()
  for (const { signal_id, number } of rows) if (!first.has(signal_id)) first.set(signal_id, reference('claim', number))
  return first
}
