import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, SourceId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Sought } from './erasures.ts'
import { columnsOf, TABLES_LOOKED_THROUGH } from './words.ts'

/** The actor of a row of signals or occurrences, as the evidence counts it; null when the row names nobody. */
export const ACTOR = `
  case when actor_key is not null or actor_name is not null
    then evidence_actor(actor_key, source, source_id, channel, actor_name) end`

/** Condition: the row, or the original of the row, is evidence of a Solution. */
const isEvidence = (place: Place): string => `
  exists (select from solution_evidence where solution_evidence.workspace_id = item.workspace_id
    and solution_evidence.signal_id = item.${place === 'signals' ? 'id' : 'signal_id'})`

/** Condition on the rows (`item`) to erase. Its parameters start at `$4`. */
const conditionOf = (
  sought: Sought,
  before: Date,
  place: Place,
): readonly [condition: string, values: readonly unknown[]] => {
  if (sought.what === 'age') {
    const isOld = 'received_at < $4::timestamptz'
    return [sought.keepsEvidence ? `${isOld} and not ${isEvidence(place)}` : isOld, [sought.signalsBefore]]
  }
  if (sought.what === 'signal') return ['id = $4', [sought.signalId]]
  if (sought.what === 'source') return ['source_id = $4', [sought.sourceId]]
  if (sought.what === 'import') {
    const rows = 'select signal_id from imported_rows where workspace_id = item.workspace_id and transfer_id = $4'
    return [`id in (${rows})`, [sought.transferId]]
  }
  const isOfThem = `${ACTOR} = any ($4::text[]) and received_at < $5`
  if (sought.what === 'person') return [isOfThem, [sought.actors, before]]
  return [
    `((${isOfThem}) or source_id = any ($6::uuid[]) or id = any ($7::uuid[]))`,
    [sought.actors, before, sought.sourceIds, sought.signalIds],
  ]
}

/** Tables of signals, with the column of their reading order. */
const PLACES = { signals: ['number', 'integer'], occurrences: ['id', 'uuid'] } as const
export type Place = keyof typeof PLACES

interface FoundPage {
  /** Last row of the page; null at the end of the table. */
  readonly last: string | null
  readonly read: number
  readonly found: number
}

/** Stores the rows to erase of the next page. No index knows the senders, so whole tables are read. */
export const findItems = async (
  transaction: Transaction,
  erasure: { readonly id: string; readonly workspaceId: WorkspaceId; readonly sought: Sought; readonly before: Date },
  place: Place,
  after: string | null,
  most: number,
): Promise<FoundPage> => {
  const [column, type] = PLACES[place]
  const [condition, values] = conditionOf(erasure.sought, erasure.before, place)
  const [row] = await transaction.query<{ last: string | null; read: number; found: number }>(
    `with page as materialized (
       select * from ${place} where workspace_id = $1 and ($3::${type} is null or ${column} > $3::${type})
       order by ${column} limit ${most}
     ), added as (
       insert into erasure_items (workspace_id, erasure_id, signal_id)
       select workspace_id, $2, id from page as item where ${condition}
       on conflict do nothing returning 1
     )
     select (select ${column}::text from page order by ${column} desc limit 1) as last,
       (select count(*)::integer from page) as read, (select count(*)::integer from added) as found`,
    [erasure.workspaceId, erasure.id, after, ...values],
  )
  if (row === undefined) throw new Error('The statement answers a row.')
  return { ...row, last: row.read < most ? null : row.last }
}

const COUNT = (place: Place, condition: string) =>
  `select count(*)::integer as rows from ${place} as item where workspace_id = $1 and $2::uuid is null and $3::uuid is null and ${condition}`

/** Number of remaining rows that should be erased. */
export const countSought = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  sought: Sought,
  before: Date,
): Promise<Readonly<Record<Place, number>>> => {
  const rowsOf = async (place: Place): Promise<number> => {
    const [condition, values] = conditionOf(sought, before, place)
    const counted = await transaction.query<{ rows: number }>(COUNT(place, condition), [
      workspaceId,
      null,
      null,
      ...values,
    ])
    return counted[0]?.rows ?? 0
  }
  return { signals: await rowsOf('signals'), occurrences: await rowsOf('occurrences') }
}

/** The texts of a row. Signals and repeats also have their actor. */
interface Written {
  readonly text: string
  readonly id: SignalId | null
  readonly sourceId: SourceId | null
  readonly actor: string | null
}

const BLOCKS_READ = 128
const BLOCKS = `select ceil(pg_relation_size($1::regclass) / current_setting('block_size')::numeric)::integer as blocks`

const statementOf = ([table, words]: (typeof TABLES_LOOKED_THROUGH)[number]): string => {
  const isSaid = table === 'signals' || table === 'occurrences'
  const columns = columnsOf(words).map(column => `${column}::text`)
  const whose = isSaid
    ? `id, source_id as "sourceId", ${ACTOR} as actor`
    : 'null as id, null as "sourceId", null as actor'
  return `
    select concat_ws(E'\n', ${columns.join(', ')}) as text, ${whose} from ${table}
    where workspace_id = $1 and ctid >= $2::tid and ctid < $3::tid`
}

/**
 * Rows of the tables with words. Pages are ranges of blocks, because some tables lack a single key column. `after` is
 * the `last` of the page before; null at the end.
 */
export const readWritten = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  after: string | null,
): Promise<{ readonly rows: readonly Written[]; readonly last: string | null }> => {
  const [place = 0, block = 0] = after?.split(' ').map(Number) ?? []
  const table = TABLES_LOOKED_THROUGH[place]
  if (table === undefined) return { rows: [], last: null }
  const [size] = await transaction.query<{ blocks: number }>(BLOCKS, [table[0]])
  const end = block + BLOCKS_READ
  const bounds = [`(${block},0)`, `(${end},0)`]
  const rows = await transaction.query<Written>(statementOf(table), [workspaceId, ...bounds])
  return { rows, last: end < (size?.blocks ?? 0) ? `${place} ${end}` : `${place + 1} 0` }
}

const NAME = 'select left(name, 200) as name from sources where id = $1'

/** Name of a source, deleted or not; undefined outside of the transaction's workspace. */
export const nameOfSource = async (transaction: Transaction, id: string): Promise<string | undefined> =>
  (await transaction.query<{ name: string }>(NAME, [id]))[0]?.name
