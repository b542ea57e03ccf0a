import type { Transaction } from '../../infra/postgres/port.ts'
import type { DecisionId, WorkspaceId } from '../../schemas/domain/ids.ts'

/** Whether what a row of `decision_objects` tells of was taken back by the id of its change. */
const takenBack = (row: string): string => `exists (
  select from changed_rows as kept join changes on changes.id = kept.change_id
  where kept.workspace_id = ${row}.workspace_id and kept.table_name = 'decision_objects'
    and kept.key = jsonb_build_object('id', ${row}.id)::text and changes.undone_by is not null)`

const CHANGES = `
  select object_id as id, change from decision_objects
  where decision_id = $1 and object_kind = $2 and change <> '{}' and not ${takenBack('decision_objects')}
  order by decision_objects.id desc`

interface MadeChange {
  readonly id: string
  readonly change: Readonly<Record<string, unknown>>
}

/** What a Decision changed of objects of a kind and was not taken back, the last change first. */
export const changesMade = (
  transaction: Transaction,
  decisionId: string,
  kind: 'solution' | 'strategy_element',
): Promise<MadeChange[]> => transaction.query<MadeChange>(CHANGES, [decisionId, kind])

const DECIDED_SINCE = `
  with own as (
    select object_kind, object_id, min(id) as first from decision_objects
    where not ${takenBack('decision_objects')} and decision_id = $1 and object_kind = $2 and object_id = $3
    group by object_kind, object_id
  )
  select max(decisions.number) as number
  from own
    join decision_objects later using (object_kind, object_id)
    join decisions on decisions.id = later.decision_id
  where later.id > own.first and later.decision_id <> $1 and later.change <> '{}'
    and not later.change ? 'undoes' and not ${takenBack('later')}
    and ($4::text is null or later.change ? $4)
    and not exists (
      select from decision_reversals where decision_reversals.decision_id = decisions.id or reversal_id = decisions.id)`

/**
 * The last Decision that changed an object after a Decision did, or one field of it, unless that was taken back; by its
 * number, null when there is none.
 */
export const decidedSince = async (
  transaction: Transaction,
  decisionId: string,
  { kind, id, field = null }: { readonly kind: string; readonly id: string; readonly field?: string | null },
): Promise<number | null> =>
  (await transaction.query<{ number: number | null }>(DECIDED_SINCE, [decisionId, kind, id, field]))[0]?.number ?? null

const WITHDRAW = `update handoffs set withdrawn_at = $2 where decision_id = $1 and withdrawn_at is null`
const HAND_OFF_AGAIN = `update handoffs set withdrawn_at = null where decision_id = $1`

const MARK = `
  insert into decision_reversals (workspace_id, decision_id, reversal_id, reversed_at) values ($1, $2, $3, $4)`

const UNMARK = `delete from decision_reversals where reversal_id = $1 returning decision_id`

/**
 * Marks a Decision as reversed by another one and withdraws its handoffs. Where it was a reversal itself, what that had
 * reversed stands again. Rejects with `conflict` when the same Decision was reversed at the same moment.
 */
export const markReversed = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { decisionId, reversalId, at }: { readonly decisionId: string; readonly reversalId: DecisionId; readonly at: Date },
): Promise<void> => {
  for (const restored of await transaction.query<{ decision_id: DecisionId }>(UNMARK, [decisionId])) {
    await transaction.query(HAND_OFF_AGAIN, [restored.decision_id])
  }
  await transaction.query(WITHDRAW, [decisionId, at])
  await transaction.query(MARK, [workspaceId, decisionId, reversalId, at])
}

const RANK_TAKEN = `
  select number, manual_rank from solutions
  where manual_rank = any ($1::integer[]) and id <> all ($2::uuid[]) order by manual_rank limit 1`

/** A Solution outside of `except` that has one of the ranks; undefined when they are free. */
export const rankTaken = async (
  transaction: Transaction,
  ranks: readonly number[],
  except: readonly string[],
): Promise<{ readonly number: number; readonly manual_rank: number } | undefined> =>
  (await transaction.query<{ number: number; manual_rank: number }>(RANK_TAKEN, [ranks, except]))[0]
