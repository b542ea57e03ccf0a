import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { withinRemainingCpu } from '../../infra/runtime/cpu-budget.ts'
import { READ_CHARACTERS, type Terms, termsOf } from '../../infra/word-index/terms.ts'
import { ID_BYTES, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { lockWorkspaces } from '../signals/scope.ts'

const STORE = (known: string) => `
  insert into signal_terms (signal_id, id, workspace_id, terms)
  select signal_id, id, workspace_id, substring($6::bytea from start for length)
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::int[]) as added (signal_id, id, workspace_id, start, length)
  on conflict (signal_id, id) ${known}`
const STORE_ANEW = STORE('do update set place = default, terms = excluded.terms')
const STORE_MISSING = STORE('do nothing')

/** Words of a text that belongs to a signal. */
interface SaidTerms {
  readonly workspaceId: WorkspaceId
  readonly signalId: SignalId
  /** The signal's id, or the id of its repeat. */
  readonly id: string
  readonly terms: Terms
}

const store = async (transaction: Transaction, statement: string, said: readonly SaidTerms[]): Promise<void> => {
  if (said.length === 0) return
  let end = 1
  const starts = said.map(({ terms }) => {
    const start = end
    end += terms.byteLength
    return start
  })
  await transaction.query(statement, [
    said.map(({ signalId }) => signalId),
    said.map(({ id }) => id),
    said.map(({ workspaceId }) => workspaceId),
    starts,
    said.map(({ terms }) => terms.byteLength),
    Buffer.concat(said.map(({ terms }) => terms)),
  ])
}

/**
 * Stores the words of texts in place of earlier ones. Needs the lock of the workspaces (`lockWorkspaces`), so that
 * places commit in order.
 */
export const storeTerms = (transaction: Transaction, said: readonly SaidTerms[]): Promise<void> =>
  store(transaction, STORE_ANEW, said)

/** Stores the words of texts that have none. */
export const storeTermsIfMissing = (transaction: Transaction, said: readonly SaidTerms[]): Promise<void> =>
  store(transaction, STORE_MISSING, said)

// Packed: separate values for each row would cost the reader several times as much.
const READ_AFTER = `
  select requested.position,
    string_agg(int8send(stored.place), ''::bytea order by stored.place) as places,
    string_agg(uuid_send(stored.signal_id), ''::bytea order by stored.place) as signal_ids,
    string_agg(uuid_send(stored.id), ''::bytea order by stored.place) as ids,
    string_agg(int4send(length(stored.terms)), ''::bytea order by stored.place) as lengths,
    string_agg(stored.terms, ''::bytea order by stored.place) as terms
  from unnest($1::uuid[], $2::bigint[]) with ordinality as requested (workspace_id, after, position)
  cross join lateral (
    select signal_id, id, place, terms from signal_terms
    where workspace_id = requested.workspace_id and place > requested.after
    order by place
    limit $3
  ) as stored
  group by requested.position`

interface Row {
  readonly position: string | number
  readonly places: Buffer
  readonly signal_ids: Buffer
  readonly ids: Buffer
  readonly lengths: Buffer
  readonly terms: Buffer
}

export interface StoredTerms {
  readonly place: number
  /** 16 bytes. */
  readonly signalId: Buffer
  readonly id: Buffer
  readonly terms: Terms
}

/** Words of each workspace behind a place, in the order of places, at most `most` for each workspace. */
export const readTermsAfter = async (
  transaction: Transaction,
  requested: readonly { readonly workspaceId: WorkspaceId; readonly after: number }[],
  atMost: number,
): Promise<readonly (readonly StoredTerms[])[]> => {
  if (requested.length === 0) return []
  const rows = await transaction.query<Row>(READ_AFTER, [
    requested.map(({ workspaceId }) => workspaceId),
    requested.map(({ after }) => after),
    atMost,
  ])
  const found = new Map(rows.map(row => [Number(row.position) - 1, row]))
  return requested.map((_, position) => {
    const row = found.get(position)
    return row === undefined ? [] : unpack(row)
  })
}

const unpack = ({ places, signal_ids, ids, lengths, terms }: Row): readonly StoredTerms[] => {
  let end = 0
  return Array.from({ length: places.length / 8 }, (_, row) => {
    const start = end
    end += lengths.readInt32BE(row * 4)
    return {
      place: Number(places.readBigInt64BE(row * 8)),
      signalId: signal_ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES),
      id: ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES),
      terms: terms.subarray(start, end),
    }
  })
}

const PAGE = 500

const WITHOUT_TERMS = `
  select id, number, left(text, ${READ_CHARACTERS}) as text from signals
  where workspace_id = $1 and number > $2
    and not exists (select from signal_terms where signal_id = signals.id and signal_terms.id = signals.id offset 0)
  order by number
  limit ${PAGE}`

const COUNT_SIGNALS = `
  select workspace_id as id, sum(signals)::int as signals from signal_counts where workspace_id = any ($1::uuid[]) group by workspace_id`

/** Workspaces with more signals than texts with words. */
export const workspacesMissingTerms = async (
  transaction: Transaction,
  workspaces: readonly { readonly workspaceId: WorkspaceId; readonly known: number }[],
): Promise<readonly WorkspaceId[]> => {
  const rows = await transaction.query<{ id: WorkspaceId; signals: number }>(COUNT_SIGNALS, [
    workspaces.map(({ workspaceId }) => workspaceId),
  ])
  const stored = new Map(rows.map(({ id, signals }) => [id, signals]))
  return workspaces.flatMap(({ workspaceId, known }) => ((stored.get(workspaceId) ?? 0) > known ? [workspaceId] : []))
}

interface UnknownText {
  readonly id: SignalId
  readonly number: number
  readonly text: string
}

/** Stores the words of signals without any: those that were stored before words were, and imported ones. */
export const fillMissingTerms = async (database: Database, workspaceId: WorkspaceId): Promise<void> => {
  const scope = { role: 'assay_pipeline' as const, workspaceIds: [workspaceId] }
  let after: number | null = 0
  while (after !== null) {
    const from: number = after
    after = await database.transaction(scope, async transaction => {
      await lockWorkspaces(transaction, [workspaceId], 'signals')
      const rows = await transaction.query<UnknownText>(WITHOUT_TERMS, [workspaceId, from])
      const said = withinRemainingCpu(() =>
        rows.map(({ id, text }) => ({ workspaceId, signalId: id, id, terms: termsOf(text) })),
      )
      await storeTermsIfMissing(transaction, said)
      return rows.length < PAGE ? null : (rows.at(-1)?.number ?? null)
    })
  }
}
