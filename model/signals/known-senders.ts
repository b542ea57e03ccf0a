import type { Transaction } from '../../infra/postgres/port.ts'
import { SIGNAL_STATES } from '../../schemas/domain/vocabulary.ts'
import { NEWEST_FIRST } from './happened.ts'

/** Names that are looked through for the one that is meant. */
const MOST = 2000

// Each look-up goes on behind the one before, in the index by source: as many as there are names, whatever number of
// signals has them.
const LABELS = `
  with recursive labels as (
    (select source, 1 as place from signals where source > '' order by source limit 1)
    union all
    select (select source from signals where source > labels.source order by source limit 1), place + 1
    from labels where labels.source is not null and place < ${MOST}
  )
  select source from labels where source is not null
  limit ${MOST}`

const HAS_LABEL = 'select source from signals where source = $1 limit 1'

/**
 * The senders' own words for where signals come from: all that is spelled as `label`, or else those that there are, at
 * most 2,000.
 */
export const labelsFor = async (transaction: Transaction, label: string): Promise<readonly string[]> => {
  const statement = (await transaction.query(HAS_LABEL, [label])).length > 0 ? HAS_LABEL : LABELS
  const values = statement === HAS_LABEL ? [label] : []
  return (await transaction.query<{ source: string }>(statement, values)).map(({ source }) => source)
}

/** How far back senders' names and metadata are looked through for what is near an unknown value. */
const LOOKED_THROUGH = 2000

const newest = (column: string): string => `
  select distinct newest.${column} from unnest($1::text[]) as requested (state)
  cross join lateral (
    select ${column} from signals where state = requested.state order by ${NEWEST_FIRST} limit $2
  ) as newest
  where newest.${column} is not null limit ${MOST}`

const among = (column: string): string => `
  select distinct ${column} from signals where id = any ($1::uuid[]) and ${column} is not null limit ${MOST}`

type Metadata = Readonly<Record<string, unknown>>

interface SenderColumns {
  readonly actor_name: string
  readonly event: string
  readonly metadata: Metadata
}

/** What senders name: who said it, and what happened. */
export type NamedBySender = 'actor_name' | 'event'

const read = async <Column extends keyof SenderColumns>(
  transaction: Transaction,
  column: Column,
  statement: (column: string) => string,
  values: readonly unknown[],
): Promise<readonly SenderColumns[Column][]> =>
  (await transaction.query<Pick<SenderColumns, Column>>(statement(column), values)).map(row => row[column])

/** The names that some signals came with. */
export const namesAmong = (
  transaction: Transaction,
  column: NamedBySender,
  ids: readonly string[],
): Promise<readonly string[]> => read(transaction, column, among, [ids])

/** The names that the newest signals of each state came with. */
export const newestNames = (transaction: Transaction, column: NamedBySender): Promise<readonly string[]> =>
  read(transaction, column, newest, [SIGNAL_STATES, LOOKED_THROUGH])

/** What the senders of some signals told beside them. */
export const metadataAmong = (transaction: Transaction, ids: readonly string[]): Promise<readonly Metadata[]> =>
  read(transaction, 'metadata', among, [ids])

/** What the senders of the newest signals told beside them: of so many of each state. */
export const newestMetadata = (transaction: Transaction, ofEach = LOOKED_THROUGH): Promise<readonly Metadata[]> =>
  read(transaction, 'metadata', newest, [SIGNAL_STATES, ofEach])
