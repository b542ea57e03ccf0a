import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import type { ChangeId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Decider } from '../decisions/log-decision.ts'

/** The call that made a change. */
export interface MadeBy {
  readonly operation: string
  /** Its action, for operations with several. */
  readonly action: string | null
  /** True when only people may call it. */
  readonly forPeople: boolean
  readonly at: Date
}

const BEGIN = `select set_config('assay.change_id', $1, true)`

/** From here on triggers record every written row under the change's id. */
export const beginChange = async (transaction: Transaction, id: ChangeId): Promise<void> => {
  await transaction.query(BEGIN, [id])
}

const FORGET = `delete from changed_rows where change_id = $1`

/** Drops the recorded rows of a change that cannot be undone. */
export const forgetChange = async (transaction: Transaction, id: ChangeId): Promise<void> => {
  await transaction.query(FORGET, [id])
}

const STORE = `
  insert into changes (id, workspace_id, operation, action, made_by, made_by_name, key_id, key_label, made_at, for_people, undoes)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 or exists (select from changes where id = $11 and for_people), $11
  where exists (select from changed_rows where change_id = $1 and (columns is null or columns <> '{}' or before <> '{}'))
  returning id`

/** Stores the author of the change. False, and nothing is stored, when no row changed. */
export const storeChange = async (
  transaction: Transaction,
  { workspaceId, userId, userName, via: through }: Decider,
  change: MadeBy & { readonly id: ChangeId; readonly undoes: ChangeId | null },
): Promise<boolean> => {
  const { id, operation, action, at, forPeople, undoes } = change
  const key = through.kind === 'key' ? [through.keyId, through.label] : [null, null]
  const stored = await transaction.query(STORE, [
    id,
    workspaceId,
    operation,
    action,
    userId,
    userName,
    ...key,
    at,
    forPeople,
    undoes,
  ])
  if (stored.length > 0) return true
  await forgetChange(transaction, id)
  return false
}

export interface ChangeRow {
  readonly id: ChangeId
  readonly operation: string
  readonly action: string | null
  readonly made_at: Date
  readonly made_by: string
  readonly key_label: string | null
  readonly for_people: boolean
  readonly undoes: ChangeId | null
  readonly undone_by: ChangeId | null
}

const COLUMNS = `id, operation, action, made_at, made_by_name as made_by, key_label, for_people, undoes, undone_by`

const LOCK = `select ${COLUMNS} from changes where id = $1 for update`

/**
 * The change, locked against another undo until the transaction ends; undefined when the workspace has none with this
 * id.
 */
export const lockChange = async (transaction: Transaction, id: string): Promise<ChangeRow | undefined> =>
  (await transaction.query<ChangeRow>(LOCK, [id]))[0]

const OF_DECISION = `
  select changes.id from changed_rows join changes on changes.id = change_id
  where changed_rows.workspace_id = $1 and table_name = 'decisions' and key = jsonb_build_object('id', $2::text)::text
    and was = 'insert' and undone_by is null`

/** The change that a Decision was logged with; null where it was taken back, or is no longer kept. */
export const changeOfDecision = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  decisionId: string,
): Promise<ChangeId | null> =>
  (await transaction.query<{ id: ChangeId }>(OF_DECISION, [workspaceId, decisionId]))[0]?.id ?? null

/**
 * The chain of the change `$1`: the first change, its undos, their undos, and so on. `does` is true for changes with
 * the effect of the first one (itself, and each undo of an undo).
 */
const CHAIN = `
  with recursive back as (
    select id, undoes from changes where id = $1
    union all
    select earlier.id, earlier.undoes from back join changes as earlier on earlier.id = back.undoes
  ), chain as (
    select id, undoes is null as does, true as is_first from back
    where not exists (select from changes as earlier where earlier.id = back.undoes)
    union all
    select later.id, not chain.does, false from chain join changes as later on later.undoes = chain.id
  )`

const MARK = `
  ${CHAIN}, meant as (select does from chain where id = $1), marked as (
    update changes set undone_by = case when chain.does = meant.does then $2::uuid end
    from chain, meant
    where changes.id = chain.id and (
      chain.does = meant.does and changes.undone_by is null or chain.is_first and chain.does <> meant.does)
  )
  select does from meant`

/**
 * Marks a change, and all with the same effect in its chain, as undone by another one. When it was an undo itself, the
 * first change stands again. Answers true when the first change stands now.
 */
export const markUndone = async (transaction: Transaction, id: ChangeId, by: ChangeId): Promise<boolean> => {
  const [meant] = await transaction.query<{ does: boolean }>(MARK, [id, by])
  return meant?.does === false
}

const OF_KEY = `key_id = $1`
const OF_MEMBER = `made_by = $1 and key_id is null`

const page = (whose: string): string => `
  select ${COLUMNS} from changes where ${whose} and made_at <= $2 order by place desc limit $3 offset $4`
const count = (whose: string): string =>
  `select count(*)::integer as count from changes where ${whose} and made_at <= $2`

/** Changes of one key, or of one member in the app, as of a time, newest first. */
export const changesPage = async (
  transaction: Transaction,
  { userId, via: through }: Pick<Decider, 'userId' | 'via'>,
  { at, limit, offset }: { readonly at: Date; readonly limit: number; readonly offset: number },
): Promise<{ readonly count: number; readonly rows: readonly ChangeRow[] }> => {
  const whose = through.kind === 'key' ? OF_KEY : OF_MEMBER
  const who = through.kind === 'key' ? through.keyId : userId
  const [counted] = await transaction.query<{ count: number }>(count(whose), [who, at])
  const rows = await transaction.query<ChangeRow>(page(whose), [who, at, limit, offset])
  return { count: counted?.count ?? 0, rows }
}

const KEPT_MS = 90 * DAY_MS

// Deletes in parts, so that each transaction is short. Recorded rows go with their change.
const DELETE_SOME = `
  delete from changes where id = any (array(select id from changes where made_at < $1 limit 200)) returning 1`

/** Deletes changes older than 90 days in every workspace. Answers their number. */
export const deleteOldChanges = async (database: Database, now: Date): Promise<number> => {
  const moment = new Date(now.getTime() - KEPT_MS)
  for (let deleted = 0; ; ) {
    const rows = await database.transaction({ role: 'assay_accounts' }, transaction =>
      transaction.query(DELETE_SOME, [moment]),
    )
    deleted += rows.length
    if (rows.length === 0) return deleted
  }
}
