import type { Transaction } from '../../infra/postgres/port.ts'
import type { Terms } from '../../infra/word-index/terms.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'

const STORE = (known: string) => `
  insert into signal_terms (signal_id, id, workspace_id, terms)
  select signal_id, id, workspace_id, substring($6::bytea from start for length)
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::int[]) as added (signal_id, id, workspace_id, start, length)
  on conflict (signal_id, id) ${known}`
const STORE_ANEW = STORE('do update set place = default, terms = excluded.terms')
const STORE_MISSING = STORE('do nothing')

/** The words of a text that says what a signal says. */
export interface SaidTerms {
  readonly workspaceId: WorkspaceId
  readonly signalId: SignalId
  /** The signal's own id, or that of a repeat of it. */
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
 * Stores the words of texts; those that a text had give way. Needs the lock of the workspaces (`lockWorkspaces`):
 * places then commit in their order.
 */
export const storeTerms = (transaction: Transaction, said: readonly SaidTerms[]): Promise<void> =>
  store(transaction, STORE_ANEW, said)

/** The same, but a text that has its words keeps them. */
export const storeLackingTerms = (transaction: Transaction, said: readonly SaidTerms[]): Promise<void> =>
  store(transaction, STORE_MISSING, said)

// Packed, since values of its own for each row would cost the reader several times as much.
const READ_AFTER = `
  select asked.position,
    string_agg(int8send(stored.place), ''::bytea order by stored.place) as places,
    string_agg(uuid_send(stored.signal_id), ''::bytea order by stored.place) as signal_ids,
    string_agg(uuid_send(stored.id), ''::bytea order by stored.place) as ids,
    string_agg(int4send(length(stored.terms)), ''::bytea order by stored.place) as lengths,
    string_agg(stored.terms, ''::bytea order by stored.place) as terms
  from unnest($1::uuid[], $2::bigint[]) with ordinality as asked (workspace_id, after, position)
  cross join lateral (
    select signal_id, id, place, terms from signal_terms
    where workspace_id = asked.workspace_id and place > asked.after
    order by place
    limit $3
  ) as stored
  group by asked.position`

interface Row {
  readonly position: string | number
  readonly places: Buffer
  readonly signal_ids: Buffer
  readonly ids: Buffer
  readonly lengths: Buffer
  readonly terms: Buffer
}

const ID_BYTES = 16

export interface StoredTerms {
  readonly place: number
  /** 16 bytes. */
  readonly signalId: Buffer
  readonly id: Buffer
  readonly terms: Terms
}

/** What each workspace has behind a place, in the order of the places and at most so many of each. */
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
