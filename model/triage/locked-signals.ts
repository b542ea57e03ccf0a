import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId } from '../../schemas/domain/ids.ts'
import { type Classification, reference, type SignalState } from '../../schemas/domain/vocabulary.ts'
import { noteLessons } from '../learning/lessons.ts'

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

export type SignalFields = Pick<
  LockedSignal,
  'state' | 'classification' | 'classification_confidence' | 'classification_version'
>

const SET_SIGNALS = `
  update signals set
    state = coalesce($2, state), classification = coalesce($3, classification),
    classification_confidence = coalesce($4, classification_confidence),
    classification_version = coalesce($5, classification_version),
    version = version + 1
  where id = any ($1::uuid[])`

/** Writes the same fields to all; what is absent stays. The workspace learns from it soon after. */
export const setSignals = async (
  transaction: Transaction,
  signals: readonly Pick<LockedSignal, 'id'>[],
  fields: Partial<SignalFields>,
): Promise<void> => {
  const ids = signals.map(({ id }) => id)
  await transaction.query(SET_SIGNALS, [
    ids,
    fields.state ?? null,
    fields.classification ?? null,
    fields.classification_confidence ?? null,
    fields.classification_version ?? null,
  ])
  await noteLessons(transaction, ids)
}
