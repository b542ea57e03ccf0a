import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'
import type { Ranked } from './search-matches.ts'

/** A value that more signals have is no ticket's number. */
const MAX_SIGNALS = 3
/** A ticket's number has a digit and no spaces. */
const NUMBER = /^#?(?=\S*\d)(\S{1,100})$/u

const HAS_VALUE = (table: string): string => `
  exists (select from jsonb_each_text(case jsonb_typeof(${table}.metadata) when 'object' then ${table}.metadata else '{}' end)
    where lower(value) = $2)`

const NUMBERED = `
  select signals.id, array(
      select claims.id from claim_evidence join claims on claims.id = claim_id and merged_into is null
      where signal_id = signals.id order by claims.number limit ${MAX_SIGNALS}
    ) as claims
  from signals
  where signals.id = any ($1::uuid[]) and (${HAS_VALUE('signals')}
    or exists (select from occurrences where occurrences.id = any ($3::uuid[]) and signal_id = signals.id
      and ${HAS_VALUE('occurrences')}))
  order by signals.number limit ${MAX_SIGNALS + 1}`

/**
 * The signals among the found ones that have the query as a value beside their text, as the number that their ticket
 * has at the desk, and then their claims.
 */
export const numberedAmong = async (
  transaction: Transaction,
  text: string,
  found: readonly Ranked[],
): Promise<readonly Ranked[]> => {
  const [, number] = NUMBER.exec(text.trim()) ?? []
  const signals = found.filter(({ type }) => type === 'signal')
  if (number === undefined || signals.length === 0) return []
  const rows = await transaction.query<{ id: SignalId; claims: readonly ClaimId[] }>(NUMBERED, [
    signals.map(({ id }) => id),
    number.toLowerCase(),
    signals.flatMap(({ repeats }) => repeats),
  ])
  if (rows.length > MAX_SIGNALS) return []
  const asFound = { matched: 'detail', repeats: [], score: 1 } as const
  const known = new Map(signals.map(signal => [signal.id, signal]))
  const claims = new Set(rows.flatMap(row => row.claims))
  return [
    ...rows.map(({ id }): Ranked => ({ type: 'signal', id, ...asFound, repeats: known.get(id)?.repeats ?? [] })),
    ...[...claims].map((id): Ranked => ({ type: 'claim', id, ...asFound })),
  ]
}
