import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { SELECT_SIGNALS, type SignalRow } from '../../../model/signals/read-signals.ts'
import type { ClaimId, SignalId } from '../../../schemas/domain/ids.ts'
import { type Classification, reference, type SignalState } from '../../../schemas/domain/vocabulary.ts'
import { type SignalShape, toSignal } from '../parts/signal-shape.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'

/** A Signal that nobody else changes until the transaction ends. */
export interface LockedSignal {
  readonly id: SignalId
  readonly number: number
  readonly reference: string
  readonly text: string
  readonly state: SignalState
  readonly classification: Classification
  readonly classification_confidence: number
  readonly classification_version: string
  readonly version: number
}

const LOCK_SIGNALS = `
  select id, number, text, state, classification, classification_confidence, classification_version, version
  from signals where id = any ($1::uuid[]) order by number for update`

/** Holds the Signals of these ids; one that is not there is not in the answer. */
export const lockSignals = async (
  transaction: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LockedSignal>> => {
  const rows = await transaction.query<Omit<LockedSignal, 'reference'>>(LOCK_SIGNALS, [ids])
  return new Map(rows.map(row => [row.id, { ...row, reference: reference('signal', row.number) }]))
}

/** Finds a Signal and holds it. Throws `not_found`, and `conflict` when another version was read. */
export const lockSignal = async (
  transaction: Transaction,
  identifier: string,
  version: number | undefined,
): Promise<LockedSignal> => {
  const { id } = await resolveOne(transaction, 'signal', identifier)
  const locked = (await lockSignals(transaction, [id])).get(id)
  if (locked === undefined) return throwDeleted('Signal')
  if (version === undefined || version === locked.version) return locked
  const { text: _, classification_version: __, ...current } = locked
  throw new AssayError(
    'conflict',
    `${locked.reference} has changed: you read version ${version}, it is at ${locked.version}. Nothing was written.`,
    { context: { current } },
  )
}

const SET_SIGNAL = `
  update signals
  set state = $2, classification = $3, classification_confidence = $4, classification_version = $5, version = version + 1
  where id = $1`

const SIGNAL = `${SELECT_SIGNALS} where signals.id = $1`

export type SignalFields = Pick<
  LockedSignal,
  'state' | 'classification' | 'classification_confidence' | 'classification_version'
>

/** Writes what differs in `fields`. */
export const setSignal = async (
  transaction: Transaction,
  signal: LockedSignal,
  fields: Partial<SignalFields>,
): Promise<void> => {
  const { state, classification, classification_confidence, classification_version } = { ...signal, ...fields }
  await transaction.query(SET_SIGNAL, [
    signal.id,
    state,
    classification,
    classification_confidence,
    classification_version,
  ])
}

/** The Signal as answers show it. */
export const shownSignal = async (transaction: Transaction, id: SignalId): Promise<SignalShape> => {
  const [row] = await transaction.query<SignalRow>(SIGNAL, [id])
  return row === undefined ? throwDeleted('Signal') : toSignal(row, 'summary')
}

const CLAIMS_OF_SIGNAL = `
  select claims.id, claims.number from claim_evidence join claims on claims.id = claim_id
  where claim_evidence.signal_id = $1 order by claims.number`

/** The claims that a Signal is evidence of. */
export const claimsOf = async (
  transaction: Transaction,
  id: SignalId,
): Promise<readonly { readonly id: ClaimId; readonly reference: string }[]> =>
  (await transaction.query<{ id: ClaimId; number: number }>(CLAIMS_OF_SIGNAL, [id])).map(row => ({
    id: row.id,
    reference: reference('claim', row.number),
  }))
