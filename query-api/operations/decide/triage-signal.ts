import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { type Classification, reference, type SignalState } from '../../../schemas/domain/vocabulary.ts'
import { gone } from '../parts/gone.ts'
import { SELECT_SIGNALS, type SignalRow, type SignalShape, toSignal } from '../parts/signal-shape.ts'

const LOCK_SIGNAL = `select state, classification, version, number from signals where id = $1 for update`

/** A person is sure: their classification carries full confidence, and says that a person made it. */
const TRIAGE_SIGNAL = `
  update signals
  set state = $2, version = version + 1,
    classification = coalesce($3, classification),
    classification_confidence = case when $3::text is null then classification_confidence else 1 end,
    classification_version = case when $3::text is null then classification_version else 'member' end
  where id = $1`

const SIGNAL = `${SELECT_SIGNALS} where signals.id = $1`

export interface SignalTriage {
  readonly signal_id: string
  readonly version?: number
  /** Null leaves it as it is. */
  readonly state: SignalState | null
  readonly classification: Classification | null
}

/** Sets a Signal's state or classification, under its lock. Throws `conflict` when another version was read. */
export const triageSignal = async (transaction: Transaction, triage: SignalTriage): Promise<SignalShape> => {
  const { id } = await resolveOne(transaction, 'signal', triage.signal_id)
  const [current] = await transaction.query<Pick<SignalRow, 'state' | 'classification' | 'version' | 'number'>>(
    LOCK_SIGNAL,
    [id],
  )
  if (current === undefined) return gone('Signal')
  if (triage.version !== undefined && triage.version !== current.version) {
    const name = reference('signal', current.number)
    throw new AssayError(
      'conflict',
      `${name} has changed: you read version ${triage.version}, it is at ${current.version}. Nothing was written.`,
      { context: { current: { ...current, reference: name } } },
    )
  }
  await transaction.query(TRIAGE_SIGNAL, [id, triage.state ?? current.state, triage.classification])
  const [row] = await transaction.query<SignalRow>(SIGNAL, [id])
  return row === undefined ? gone('Signal') : toSignal(row, 'summary')
}
