import type { Database, Transaction } from '../../infra/postgres/port.ts'

/** A write with the caller's `X-Idempotency-Key`. */
export interface IdempotentCall {
  readonly workspaceId: string
  readonly callerId: string
  readonly key: string
  readonly operation: string
  readonly argumentsHash: Uint8Array
}

// The second of two simultaneous calls waits here for the end of the first one's transaction, and finds its answer.
const LOCK = `select pg_advisory_xact_lock(hashtextextended($1, 0))`

/** Locks the caller's key until the transaction ends. */
export const lockKey = async (transaction: Transaction, call: IdempotentCall): Promise<void> => {
  await transaction.query(LOCK, [`${call.workspaceId}/${call.callerId}/${call.key}`])
}

const FIND = `
  select operation, arguments_hash, answer
  from idempotent_answers
  where workspace_id = $1 and caller_id = $2 and idempotency_key = $3 and created_at > now() - interval '24 hours'`

interface StoredAnswer {
  readonly operation: string
  readonly arguments_hash: Uint8Array
  readonly answer: unknown
}

/** The answer under the key within 24 hours, to any call. */
export const findAnswer = async (transaction: Transaction, call: IdempotentCall): Promise<StoredAnswer | undefined> =>
  (await transaction.query<StoredAnswer>(FIND, [call.workspaceId, call.callerId, call.key]))[0]

// Deletes expired answers, so that their keys can be used again.
const DELETE_EXPIRED = `delete from idempotent_answers where workspace_id = $1 and created_at <= now() - interval '24 hours'`

const STORE = `
  insert into idempotent_answers (workspace_id, caller_id, idempotency_key, operation, arguments_hash, answer)
  values ($1, $2, $3, $4, $5, $6)`

/** Stores the answer for repetitions. */
export const insertAnswer = async (transaction: Transaction, call: IdempotentCall, answer: object): Promise<void> => {
  const { workspaceId, callerId, key, operation, argumentsHash } = call
  await transaction.query(DELETE_EXPIRED, [workspaceId])
  await transaction.query(STORE, [workspaceId, callerId, key, operation, argumentsHash, JSON.stringify(answer)])
}

// Deletes in parts, so that each transaction is short.
const DELETE_SOME = `
  delete from idempotent_answers
  where ctid = any (array(select ctid from idempotent_answers where created_at <= now() - interval '24 hours' limit 1000))
  returning 1`

/** Deletes expired answers of every workspace, and answers their number. */
export const deleteExpiredAnswers = async (database: Database): Promise<number> => {
  for (let deleted = 0; ; ) {
    const rows = await database.transaction({ role: 'assay_accounts' }, transaction => transaction.query(DELETE_SOME))
    deleted += rows.length
    if (rows.length === 0) return deleted
  }
}
