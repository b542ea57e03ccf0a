import type { Transaction } from '../../infra/postgres/port.ts'
import { SIGNAL_STATES } from '../../schemas/domain/vocabulary.ts'
import { NEWEST_FIRST } from './happened.ts'

/** Names that are looked through for the one that is meant. */
const MOST = 2000

// Each look-up goes on behind the one before, in the index by source: as many as there are names, whatever number of signals has them.
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

/** The senders' own words for where signals come from: all that is spelled as `label`, or else those that there are, at most 2,000. */
export const labelsFor = async (transaction: Transaction, label: string): Promise<readonly string[]> => {
  const statement = (await transaction.query(HAS_LABEL, [label])).length > 0 ? HAS_LABEL : LABELS
  const values = statement === HAS_LABEL ? [label] : []
  return (await transaction.query<{ source: string }>(statement, values)).map(({ source }) => source)
}

const NAMES_AMONG = `
  select distinct actor_name from signals where id = any ($1::uuid[]) and actor_name is not null limit ${MOST}`

/** Who said some signals, by the names that they came with. */
export const namesAmong = async (transaction: Transaction, ids: readonly string[]): Promise<readonly string[]> =>
  (await transaction.query<{ actor_name: string }>(NAMES_AMONG, [ids])).map(({ actor_name }) => actor_name)

/** How far back the metadata is looked through for what the words of signals do not tell. */
const LOOKED_THROUGH = 2000

const NEWEST_METADATA = `
  select newest.metadata from unnest($1::text[]) as asked (state)
  cross join lateral (
    select metadata from signals where state = asked.state order by ${NEWEST_FIRST} limit ${LOOKED_THROUGH}
  ) as newest`
const METADATA_AMONG = 'select metadata from signals where id = any ($1::uuid[])'

type Metadata = Readonly<Record<string, unknown>>

/** What the senders of some signals, or of the newest of each state, told beside them. */
export const metadataAmong = async (
  transaction: Transaction,
  ids: readonly string[] | null,
): Promise<readonly Metadata[]> =>
  (
    await transaction.query<{ metadata: Metadata }>(ids === null ? NEWEST_METADATA : METADATA_AMONG, [
      ids ?? SIGNAL_STATES,
    ])
  ).map(({ metadata }) => metadata)
