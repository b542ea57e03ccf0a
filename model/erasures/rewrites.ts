import type { Transaction } from '../../infra/postgres/port.ts'
import type { Sealer } from '../../infra/runtime/secrets.ts'
import type { SignalId } from '../../schemas/domain/ids.ts'
import type { ProofLine } from './erasures.ts'

/** Id of requests without a proof: after the deletion of a workspace or an account, or the reset of a sandbox. */
const ANYTHING = '00000000-0000-0000-0000-000000000000'
/** Excerpts that the search of an erasure looks for, from its first signals. */
const MAX_EXCERPTS = 100
/** Shorter excerpts occur in other texts by chance. */
const EXCERPT = /[^\p{Cc}"\\]{16,48}/gu

/** An excerpt of the beginning, which titles have too, and one of the middle, for the search of files. */
export const excerptsOf = (text: string): readonly string[] => {
  const pieces = text.match(EXCERPT) ?? []
  return [...new Set([pieces[0], pieces[Math.floor(pieces.length / 2)]])].filter(piece => piece !== undefined)
}

const TEXTS = `
  select distinct said.text
  from (
    select id, text, cut_signature, cut_quoted, cut_footer from signals
    union all select id, text, cut_signature, cut_quoted, cut_footer from occurrences
  ) as rows cross join lateral (values (text), (cut_signature), (cut_quoted), (cut_footer)) as said (text)
  where id = any ($1::uuid[]) and said.text is not null limit ${MAX_EXCERPTS}`
const SEALED = 'select sealed from rewrites where id = $1 for update'
const SEAL = `
  insert into rewrites (id, sealed) values ($1, $2) on conflict (id) do update set sealed = excluded.sealed`

/** Stores sealed excerpts of signals, in the transaction that removes the signals. */
export const keepExcerpts = async (
  transaction: Transaction,
  erasureId: string,
  ids: readonly SignalId[],
  sealer: Pick<Sealer, 'seal' | 'unseal'>,
): Promise<void> => {
  const [kept] = await transaction.query<{ sealed: Uint8Array | null }>(SEALED, [erasureId])
  const excerpts = kept?.sealed ? unsealed(kept.sealed, sealer) : []
  if (excerpts.length >= MAX_EXCERPTS) return
  const rows = await transaction.query<{ text: string }>(TEXTS, [ids])
  const more = [...excerpts, ...rows.flatMap(({ text }) => excerptsOf(text))].slice(0, MAX_EXCERPTS)
  await transaction.query(SEAL, [erasureId, sealer.seal(JSON.stringify(more))])
}

/** Reads excerpts that `keepExcerpts` has sealed. */
const unsealed = (sealed: Uint8Array, sealer: Pick<Sealer, 'unseal'>): readonly string[] =>
  JSON.parse(sealer.unseal(sealed))

/** Lines of a proof before the files were searched. */
export const NOT_SEARCHED: readonly ProofLine[] = [
  { store: 'files', place: 'data directory', looked_for: 'texts', found: null },
  { store: 'backup', place: 'backup made afterwards', looked_for: 'texts', found: null },
]

const REQUEST = `
  insert into rewrites (id, requested_at) values ($1, now())
  on conflict (id) do update set requested_at = now(), tries = 0, not_before = now()`

/** Requests that the files are rewritten without removed rows. Without an erasure nothing is searched afterwards. */
export const requestRewrite = async (transaction: Transaction, erasureId: string = ANYTHING): Promise<void> => {
  await transaction.query(REQUEST, [erasureId])
}

export interface Rewrite {
  readonly id: string
  /** Time of the request in the database's format. A repeated request has another time. */
  readonly requestedAt: string
  readonly excerpts: readonly string[]
  readonly tries: number
}

interface RewriteRow {
  readonly id: string
  readonly requested_at: string
  readonly sealed: Uint8Array | null
  readonly tries: number
}

const PENDING = `
  select id, requested_at::text, sealed, tries from rewrites
  where requested_at is not null and not_before <= now() order by rewrites.requested_at, id`

/** Requested rewrites that are due. */
export const pendingRewrites = async (
  transaction: Transaction,
  sealer: Pick<Sealer, 'unseal'>,
): Promise<readonly Rewrite[]> =>
  (await transaction.query<RewriteRow>(PENDING)).map(({ id, requested_at: requestedAt, sealed, tries }) => ({
    id,
    requestedAt,
    excerpts: sealed === null ? [] : unsealed(sealed, sealer),
    tries,
  }))

const FINISH = 'delete from rewrites where id = $1 and requested_at = $2::timestamptz'
const PROVE = `
  update erasures set proof = (
    select coalesce(jsonb_agg(line), '[]') from jsonb_array_elements(proof) as line
    where line ->> 'store' not in ('files', 'backup')) || $2::jsonb
  where id = $1`

/**
 * Ends a rewrite, unless it was requested again meanwhile, and stores the findings in the proof of its erasure. Deletes
 * the excerpts.
 */
export const finishRewrite = async (
  transaction: Transaction,
  { id, requestedAt }: Rewrite,
  found: readonly ProofLine[],
): Promise<void> => {
  await transaction.query(PROVE, [id, JSON.stringify(found)])
  await transaction.query(FINISH, [id, requestedAt])
}

const FORGET = 'delete from rewrites where id = $1'

/** Drops the request of an erasure that removed nothing. */
export const forgetRewrite = async (transaction: Transaction, erasureId: string): Promise<void> => {
  await transaction.query(FORGET, [erasureId])
}

const POSTPONE = `
  update rewrites set tries = tries + 1, not_before = now() + $2 * interval '1 millisecond' where id = $1`

/** Postpones the next try of a rewrite. */
export const postponeRewrite = async (transaction: Transaction, { id }: Rewrite, pauseMs: number): Promise<void> => {
  await transaction.query(POSTPONE, [id, pauseMs])
}

const TABLES = `
  select quote_ident(relname) as name from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`

/** Excerpts that a row of any workspace contains: another sender says the same and has not asked for an erasure. */
export const excerptsInRows = async (owner: Transaction, excerpts: readonly string[]): Promise<ReadonlySet<string>> => {
  const alive = new Set<string>()
  for (const { name } of await owner.query<{ name: string }>(TABLES)) {
    const rows = await owner.query<{ excerpt: string }>(
      `select excerpt from unnest($1::text[]) as excerpt
       where exists (select from ${name} as stored where position(excerpt in stored::text) > 0)`,
      [excerpts.filter(excerpt => !alive.has(excerpt))],
    )
    for (const { excerpt } of rows) alive.add(excerpt)
  }
  return alive
}
