import type { Transaction } from '../../infra/postgres/port.ts'

const ACTOR = 'evidence_actor(actor_key, source, source_id, channel, actor_name)'

/**
 * An actor as answers show it and as a call gives it back: the sign between a source and a name cannot be seen, and has
 * another one in its place (`visibleText`).
 */
const asShown = (actor: string): string => `translate(${actor}, chr(31), '␟')`

const having = (condition: string): string => `
  select ${ACTOR} as actor from signals where ${condition}
  union
  select ${ACTOR} from occurrences where ${condition}`

const NAMED = having(`lower(actor_name) = lower(trim($1)) or actor_key = $2 or ${asShown(ACTOR)} = ${asShown('$1')}`)
// `strpos` and not `like`: a name may have signs that mean something there.
const WITH_PART = having(
  `exists (select from unnest($1::text[]) as part where strpos(lower(actor_name), lower(part)) > 0)`,
)

const read = async (transaction: Transaction, statement: string, values: readonly unknown[]): Promise<string[]> =>
  (await transaction.query<{ readonly actor: string }>(statement, values)).map(({ actor }) => actor)

/**
 * The actors, as evidence counts them, that a name in any letter case, the key of an address, or an actor itself means.
 */
export const actorsNamed = (transaction: Transaction, name: string, actorKey: string | null): Promise<string[]> =>
  read(transaction, NAMED, [name, actorKey])

/** The actors whose name has one of the parts in it, in any letter case. */
export const actorsWithPart = (transaction: Transaction, parts: readonly string[]): Promise<string[]> =>
  read(transaction, WITH_PART, [parts])

const SHOWN = `
  select distinct requested.shown, known.actor
  from unnest($1::text[]) as requested (shown)
  left join (select ${ACTOR} as actor from signals union select ${ACTOR} from occurrences) as known
    on ${asShown('known.actor')} = ${asShown('requested.shown')}`

/** The actors that an answer showed so, of each that was shown; none of one that nobody is. */
export const actorsShown = async (
  transaction: Transaction,
  shown: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (shown.length === 0) return new Map()
  const rows = await transaction.query<{ readonly shown: string; readonly actor: string | null }>(SHOWN, [shown])
  const found = new Map<string, string[]>(shown.map(one => [one, []]))
  for (const { shown: one, actor } of rows) if (actor !== null) found.get(one)?.push(actor)
  return found
}
