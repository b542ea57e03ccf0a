import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId } from '../../schemas/domain/ids.ts'

// The repeats of a repeat go along: the original has them from now on.
const MOVE = `
  update occurrences set signal_id = $2
  where signal_id = $1 and ($3::uuid[] is null or id = any ($3))
  returning id`

// A vector of one model for both, which there is unless a job is changing it.
const MARK = `
  insert into occurrences (
    id, workspace_id, signal_id, reason, similarity, source_id, channel, source, source_url, actor_name, actor_key,
    signal_origin, actor_role, occurred_at, received_at)
  select id, workspace_id, $2, 'member',
    coalesce(
      (select 1 - (own.embedding <=> other.embedding)
        from signal_vectors own join signal_vectors other using (model)
        where own.signal_id = signals.id and other.signal_id = $2 limit 1), 0),
    source_id, channel, source, source_url, actor_name, actor_key, signal_origin, actor_role, occurred_at, received_at
  from signals where id = $1`

const UNMARK = `delete from occurrences where id = $1 and reason = 'member' returning signal_id`

const ORIGINAL = `select signal_id from occurrences where id = $1`

/** What a Signal was said to repeat; undefined for one that stands for itself. */
export const findMarkedOriginal = async (transaction: Transaction, id: SignalId): Promise<SignalId | undefined> =>
  (await transaction.query<{ signal_id: SignalId }>(ORIGINAL, [id]))[0]?.signal_id

const REPEATS = `
  select repeat.number, original.number as of
  from occurrences
  join signals as repeat on repeat.id = occurrences.id
  join signals as original on original.id = occurrences.signal_id
  where occurrences.id = any ($1::uuid[])
  order by repeat.number limit 1`

/** The oldest of the Signals that were said to repeat another, as the numbers of both; undefined when none was. */
export const firstMarkedDuplicate = async (
  transaction: Transaction,
  ids: readonly SignalId[],
): Promise<{ readonly number: number; readonly of: number } | undefined> =>
  (await transaction.query<{ number: number; of: number }>(REPEATS, [ids]))[0]

/**
 * Counts a stored Signal, which the caller has dismissed, and its repeats as occurrences of another. Answers the
 * repeats that went along. Needs the lock of the workspace's signals.
 */
export const markDuplicate = async (
  transaction: Transaction,
  id: SignalId,
  original: SignalId,
): Promise<readonly SignalId[]> => {
  const moved = await transaction.query<{ id: SignalId }>(MOVE, [id, original, null])
  await transaction.query(MARK, [id, original])
  return moved.map(row => row.id)
}

/**
 * Has a Signal, which is still dismissed, stand for itself again, with the repeats that had gone along. Needs the same
 * lock.
 */
export const unmarkDuplicate = async (
  transaction: Transaction,
  id: SignalId,
  repeats: readonly SignalId[],
): Promise<void> => {
  const [was] = await transaction.query<{ signal_id: SignalId }>(UNMARK, [id])
  if (was !== undefined) await transaction.query(MOVE, [was.signal_id, id, repeats])
}
