import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { type ProofLine, type Sought, wordsOf } from './erasures.ts'
import { ACTOR, countSought } from './find-signals.ts'
import { TABLES_BY_SIGNAL } from './tables.ts'
import { columnsOf, countWords, found, postgresPattern, TABLES_LOOKED_THROUGH } from './words.ts'

/** An actor that a dry run found, as the evidence counts it. */
interface FoundActor {
  readonly actor: string
  readonly name: string | null
  readonly source: string | null
  /** `has_address`: known by an address; `is_address`: by the requested one. */
  readonly has_address: boolean
  readonly is_address: boolean
  readonly signals: number
  readonly repeats: number
  readonly first_at: Date
  readonly last_at: Date
}

const MAX_ACTORS = 50

const ACTORS = `
  with said as (
    select ${ACTOR} as actor, actor_key, actor_name, source, received_at, true as is_signal from signals
    where workspace_id = $1 and (actor_key = $2 or lower(actor_name) = lower($3))
    union all
    select ${ACTOR}, actor_key, actor_name, source, received_at, false from occurrences
    where workspace_id = $1 and (actor_key = $2 or lower(actor_name) = lower($3))
  )
  select actor, max(actor_name) as name, max(source) as source, bool_or(actor_key is not null) as has_address,
    coalesce(bool_or(actor_key = $2), false) as is_address, count(*) filter (where is_signal)::integer as signals,
    count(*) filter (where not is_signal)::integer as repeats, min(received_at) as first_at, max(received_at) as last_at
  from said group by actor order by is_address desc, count(*) desc, actor limit ${MAX_ACTORS}`

/** Actors that an address or a name finds, those of the address first. */
export const findActors = (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  actorKey: string | null,
  name: string | null,
): Promise<FoundActor[]> => transaction.query<FoundActor>(ACTORS, [workspaceId, actorKey, name])

interface Consequences {
  /** Other senders' repeats of signals to erase. One of them takes each signal's place. */
  readonly repeats_of_others: number
  /** Claims that keep other senders' evidence. Their texts come from it when they came from an erased signal. */
  readonly claims_kept: number
  /** Claims that lose all evidence and are dismissed. */
  readonly claims_emptied: number
  readonly comments: number
  /** All dead letters of the workspace, which are read. */
  readonly dead_letters_to_read: number
}

const CONSEQUENCES = `
  with to_erase as materialized (
    select id from signals where workspace_id = $1 and ($2::text[] is null or ${ACTOR} = any ($2))
      and ($3::uuid is null or source_id = $3) and ($4::uuid is null or id = $4)
  ), of_others as materialized (
    select signal_id from occurrences join to_erase on to_erase.id = signal_id
    where ($2::text[] is null or ${ACTOR} is null or ${ACTOR} <> all ($2)) and ($3::uuid is null or source_id is distinct from $3)
  ), shared as (
    select claim_id, bool_and(to_erase.id is not null and signal_id not in (select signal_id from of_others)) as is_emptied
    from claim_evidence left join to_erase on to_erase.id = signal_id
    where claim_id in (select claim_id from claim_evidence join to_erase on to_erase.id = signal_id)
    group by claim_id
  )
  select
    (select count(*)::integer from of_others) as repeats_of_others,
    (select count(*)::integer from shared where not is_emptied) as claims_kept,
    (select count(*)::integer from shared where is_emptied) as claims_emptied,
    (select count(*)::integer from comments join to_erase on to_erase.id = signal_id) as comments,
    (select count(*)::integer from dead_letters where workspace_id = $1) as dead_letters_to_read`

/** Counts of rows that go with the signals to erase. */
export const findConsequences = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  of: { readonly actors?: readonly string[]; readonly sourceId?: string; readonly signalId?: string },
): Promise<Consequences> => {
  const values = [workspaceId, of.actors ?? null, of.sourceId ?? null, of.signalId ?? null]
  const [row] = await transaction.query<Consequences>(CONSEQUENCES, values)
  if (row === undefined) throw new Error('The statement answers a row.')
  return row
}

interface Mention {
  /** Table name. */
  readonly place: string
  readonly rows: number
  /** The first few matches with the text around them. */
  readonly samples: readonly string[]
}

const SAMPLES = 3

/** Matches of the words outside of the actors' own texts, with samples. Tables without matches are left out. */
export const findMentions = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  pattern: string,
  actors: readonly string[],
): Promise<readonly Mention[]> => {
  const mentions: Mention[] = []
  // The outbox moves to ClickHouse within a second, and no member reads it.
  for (const [table, words] of TABLES_LOOKED_THROUGH.filter(([name]) => name !== 'outbox')) {
    const isSaid = table === 'signals' || table === 'occurrences'
    const others = isSaid ? `and (${ACTOR} is null or ${ACTOR} <> all ($3::text[]))` : 'and $3::text[] is not null'
    const where = `workspace_id = $1 and (${found(words)}) ${others}`
    const text = columnsOf(words)
      .map(column => `coalesce(${column}::text, '')`)
      .join(` || ' ' || `)
    const [counted] = await transaction.query<{ rows: number; samples: string[] | null }>(
      `select (select count(*)::integer from ${table} where ${where}) as rows,
         (select array_agg(sample) from (
           select substring(${text} from '(?i).{0,60}' || $2 || '.{0,60}') as sample from ${table} where ${where} limit ${SAMPLES}
         ) as samples) as samples`,
      [workspaceId, pattern, actors],
    )
    if (counted !== undefined && counted.rows > 0)
      mentions.push({
        place: table,
        rows: counted.rows,
        samples: (counted.samples ?? []).filter(sample => sample !== null),
      })
  }
  return mentions
}

const NAMED = `
  select count(*)::integer as rows from changed_rows
  where workspace_id = $1 and exists (
    select from unnest(names) as named join erasure_items on erasure_id = $2 and signal_id = named)`

/** Searches every table for what an erasure had to remove. A line for each table, also without findings. */
export const searchPostgres = async (
  transaction: Transaction,
  {
    id,
    workspaceId,
    sought,
    before,
  }: { readonly id: string; readonly workspaceId: WorkspaceId; readonly sought: Sought; readonly before: Date },
): Promise<readonly ProofLine[]> => {
  const lines: ProofLine[] = []
  const addLine = (place: string, looked_for: ProofLine['looked_for'], found: number): void =>
    void lines.push({ store: 'postgres', place, looked_for, found })
  const still = await countSought(transaction, workspaceId, sought, before)
  for (const [place, found] of Object.entries(still)) addLine(place, 'sender', found)
  const bySignal = new Map<string, number>()
  for (const [table, column] of TABLES_BY_SIGNAL) {
    const [row] = await transaction.query<{ rows: number }>(
      `select count(*)::integer as rows from ${table}
       where workspace_id = $1 and ${column} in (select signal_id from erasure_items where erasure_id = $2)`,
      [workspaceId, id],
    )
    bySignal.set(table, (bySignal.get(table) ?? 0) + (row?.rows ?? 0))
  }
  const [named] = await transaction.query<{ rows: number }>(NAMED, [workspaceId, id])
  bySignal.set('changed_rows', named?.rows ?? 0)
  for (const [table, found] of bySignal) addLine(table, 'signals', found)
  const pattern = postgresPattern(wordsOf(sought))
  if (pattern !== null)
    for (const [table, found] of await countWords(transaction, workspaceId, pattern)) addLine(table, 'words', found)
  return lines
}
