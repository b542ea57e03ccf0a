import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, SourceId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { ACTOR } from './find-signals.ts'
import { columnsOf, TABLES_LOOKED_THROUGH } from './words.ts'

/** What is written in a row; of signals and repeats, besides, whose it is. */
export interface Written {
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
 * The rows of the tables in which words are looked for, by pages of blocks, as not every table has one column to go on
 * from. `after` is what the page before answered as `last`; null at the end.
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
