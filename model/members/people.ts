import type { Transaction } from '../../infra/postgres/port.ts'
import { visibleText } from '../../schemas/domain/visible-text.ts'

/** A member of the transaction's workspace under the present name. */
export interface Person {
  readonly id: string
  readonly name: string
}

interface PersonRow extends Person {
  readonly email: string
}

const PEOPLE = `select id, name, email from workspace_people() order by lower(name), id`

/** Members of the transaction's workspace with their addresses. */
export const peopleOf = (transaction: Transaction): Promise<PersonRow[]> => transaction.query<PersonRow>(PEOPLE, [])

/** An SQL expression for the member in a column, as `Person`; null without one, or when the person has left. */
export const personIn = (column: string): string => `workspace_person(${column})`

const folded = (text: string): string => visibleText(text).trim().normalize('NFKC').toLowerCase()

/** People with an id, an address or a name; by the first word of a name when nobody has the whole name. */
export const peopleNamed = (people: readonly PersonRow[], named: string): readonly Person[] => {
  const wanted = folded(named)
  const exact = people.filter(
    ({ id, name, email }) => id === wanted || folded(email) === wanted || folded(name) === wanted,
  )
  return exact.length > 0 ? exact : people.filter(({ name }) => firstWord(folded(name)) === wanted)
}

const firstWord = (name: string): string => name.split(/\s/, 1)[0] ?? ''

/** The position behind an @, where a name may begin. */
const AT = /(?<![\p{L}\p{N}_.])@(?=\S)/gu
const ENDS = /^(?![\p{L}\p{N}_])/u

/** Members whom a text mentions: `@` with a whole name, or with a first word that only one member has. */
export const mentionedIn = (text: string, people: readonly PersonRow[]): readonly Person[] => {
  const plain = text.normalize('NFKC').toLowerCase()
  const members = people.map(person => {
    const fullName = folded(person.name)
    return { person, fullName, first: firstWord(fullName) }
  })
  const having = Map.groupBy(members, ({ first }) => first)
  const named = members.flatMap(({ person, fullName, first }) => {
    const isAlone = having.get(first)?.length === 1
    return [{ person, name: fullName }, ...(isAlone && first !== fullName ? [{ person, name: first }] : [])]
  })
  const found = new Map<string, Person>()
  for (const { index } of plain.matchAll(AT)) {
    const after = plain.slice(index + 1, index + 1 + LONGEST)
    const fitting = named.filter(
      ({ name }) => name !== '' && after.startsWith(name) && ENDS.test(after.slice(name.length)),
    )
    const longest = Math.max(0, ...fitting.map(({ name }) => name.length))
    for (const { person, name } of fitting) if (name.length === longest) found.set(person.id, person)
  }
  return [...found.values()].map(({ id, name }) => ({ id, name }))
}

const LONGEST = 200

/** Kinds of objects that have an owner. */
export const OWNED = ['signal', 'claim', 'solution'] as const
type Owned = (typeof OWNED)[number]

const TABLE: Readonly<Record<Owned, string>> = { signal: 'signals', claim: 'claims', solution: 'solutions' }

/** Stands for "no owner" in filters. No account has this id. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Condition on a table with an `owner_id`, for a parameter that is null, a member's id or `NOBODY`. */
export const ownedBy = (parameter: string): string =>
  `(${parameter}::uuid is null or coalesce(owner_id, '${NOBODY}') = ${parameter})`

const readOwner = (table: string): string =>
  `select ${personIn('owner_id')} as owner from ${table} where id = $1 for update`

/**
 * Owner of an object, which is locked until the transaction ends; null without an owner, undefined when the object is
 * missing.
 */
export const lockOwner = async (
  transaction: Transaction,
  { kind, id }: { readonly kind: Owned; readonly id: string },
): Promise<Person | null | undefined> =>
  (await transaction.query<{ owner: Person | null }>(readOwner(TABLE[kind]), [id]))[0]?.owner

/** Does not raise the version, so that a simultaneous edit of the object succeeds. */
export const setOwner = async (
  transaction: Transaction,
  { kind, id }: { readonly kind: Owned; readonly id: string },
  owner: string | null,
): Promise<void> => {
  await transaction.query(`update ${TABLE[kind]} set owner_id = $2 where id = $1`, [id, owner])
}
