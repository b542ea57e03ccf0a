import type { Transaction } from '../../infra/postgres/port.ts'

const ACTOR = 'evidence_actor(actor_key, source, source_id, channel, actor_name)'

/** An actor for answers and calls: the invisible separator of source and name gets a visible sign (`visibleText`). */
const asShown = (actor: string): string => `translate(${actor}, chr(31), '␟')`

const having = (condition: string): string => `
  select ${ACTOR} as actor from signals where ${condition}
  union
  select ${ACTOR} from occurrences where ${condition}`

const NAMED = having(`lower(actor_name) = lower(trim($1)) or actor_key = $2 or ${asShown(ACTOR)} = ${asShown('$1')}`)
// `strpos` instead of `like`, because a name may contain wildcards.
const WITH_PART = having(
  `exists (select from unnest($1::text[]) as part where strpos(lower(actor_name), lower(part)) > 0)`,
)

const read = async (transaction: Transaction, statement: string, values: readonly unknown[]): Promise<string[]> =>
  (await transaction.query<{ readonly actor: string }>(statement, values)).map(({ actor }) => actor)

/** Actors, as the evidence counts them, by a name in any letter case, the key of an address, or the actor itself. */
export const actorsNamed = (transaction: Transaction, name: string, actorKey: string | null): Promise<string[]> =>
  read(transaction, NAMED, [name, actorKey])

/** Actors whose name contains one of the parts, in any letter case. */
export const actorsWithPart = (transaction: Transaction, parts: readonly string[]): Promise<string[]> =>
  read(transaction, WITH_PART, [parts])

const SHOWN = `
  select distinct requested.shown, known.actor
  from unnest($1::text[]) as requested (shown)
  left join (select ${ACTOR} as actor from signals union select ${ACTOR} from occurrences) as known
    on ${asShown('known.actor')} = ${asShown('requested.shown')}`

/** Actors by the form in which answers show them. Unknown ones are left out. */
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
