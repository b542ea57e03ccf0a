import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { eraseLetters } from '../erasures/dead-letters.ts'

/** Nobody drives it again: what a replay has put on the log comes to an end of its own. */
const IS_OLD = `last_failed_at < $2::timestamptz and state <> 'replayed' and next_redrive_at is null`

const READ = `
  select signal_id, step from dead_letters
  where workspace_id = $1 and ${IS_OLD} and ($3::uuid is null or (signal_id, step) > ($3, $4))
  order by signal_id, step limit $5 for update`

const KNOWN = `
  select asked.id,
    exists (select from signals where signals.id = asked.id) or exists (select from occurrences where occurrences.id = asked.id) as has_row,
    exists (select from dead_letters where signal_id = asked.id and workspace_id = $1 and not (${IS_OLD})) as is_under_way
  from unnest($3::uuid[]) as asked (id)`

const REMOVE = `
  delete from dead_letters using unnest($2::uuid[], $3::text[]) as old (signal_id, step)
  where workspace_id = $1 and dead_letters.signal_id = old.signal_id and dead_letters.step = old.step
  returning 1`

interface Letter {
  readonly signal_id: SignalId
  readonly step: string
}

export interface OldLettersPage {
  /** Behind which letter to go on; null at the end. */
  readonly last: Letter | null
  readonly removed: number
}

/**
 * Removes the next dead letters that are too old. A signal of which nothing else is known goes with its letter, and is
 * counted as erased; one that has a row after all, or another letter that is under way, stays.
 */
export const removeOldLetters = async (
  transaction: Transaction,
  erasure: { readonly workspaceId: WorkspaceId; readonly erasureId: string },
  before: string,
  after: Letter | null,
  most: number,
): Promise<OldLettersPage> => {
  const { workspaceId } = erasure
  const page = await transaction.query<Letter>(READ, [
    workspaceId,
    before,
    after?.signal_id ?? null,
    after?.step ?? null,
    most,
  ])
  const asked = [...new Set(page.map(({ signal_id }) => signal_id))]
  const known = await transaction.query<{ id: SignalId; has_row: boolean; is_under_way: boolean }>(KNOWN, [
    workspaceId,
    before,
    asked,
  ])
  const gone = known.filter(({ has_row, is_under_way }) => !has_row && !is_under_way).map(({ id }) => id)
  const stored = new Set(known.filter(({ has_row }) => has_row).map(({ id }) => id))
  const alone = page.filter(({ signal_id }) => stored.has(signal_id))
  let removed = gone.length === 0 ? 0 : await eraseLetters(transaction, erasure, gone)
  if (alone.length > 0) {
    const values = [workspaceId, alone.map(({ signal_id }) => signal_id), alone.map(({ step }) => step)]
    removed += (await transaction.query(REMOVE, values)).length
  }
  return { last: page.length < most ? null : (page.at(-1) ?? null), removed }
}

const COUNT = `select count(*)::integer as letters from dead_letters where workspace_id = $1 and ${IS_OLD}`

export const countOldLetters = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  before: string,
): Promise<number> => (await transaction.query<{ letters: number }>(COUNT, [workspaceId, before]))[0]?.letters ?? 0
