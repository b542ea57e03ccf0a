import { NOBODY, type Person, peopleNamed, peopleOf } from '../../../model/members/people.ts'
import { nearestNames } from '../../../model/words/nearest-names.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { AssayError, type Caller, type Transaction, Type } from '../define.ts'
import { nullable, uuid } from './fields.ts'

/** Author of a text, and their key. */
export const authorFields = {
  author_name: Type.String(),
  key_label: nullable(Type.String({ description: 'The key that it came through; null for the app.' })),
}

/** Number of actors, with one definition everywhere. */
export const actorCount = Type.Integer({
  description: 'Who is behind it: an address is one, and a name without one is one in each source.',
})

/** A member, as answers show them. */
export const PersonShape = Type.Object({ id: uuid, name: ownText() })

/** Owner of a signal, a claim or a Solution. */
export const Owner = nullable(PersonShape)

/** Most members named in an answer: a workspace may have hundreds. */
const MAX_NAMED = 10

const field = (description: string) => Type.String({ minLength: 1, maxLength: 300, pattern: '\\S', description })

export const ownerField = field('A member’s name, me or nobody.')

export const ownerFilter = Type.Optional(ownerField)

/**
 * The member with this name; null for "nobody". Throws `invalid_input` with the members for an unknown or ambiguous
 * name.
 */
export const namedOwner = async (transaction: Transaction, caller: Caller, named: string): Promise<Person | null> => {
  const word = named.trim().toLowerCase()
  if (word === 'nobody') return null
  const people = await peopleOf(transaction)
  if (word === 'me') {
    const own = people.find(({ id }) => id === caller.userId)
    return own === undefined ? { id: caller.userId, name: caller.userName } : { id: own.id, name: own.name }
  }
  const found = peopleNamed(people, named)
  const [one] = found
  if (one !== undefined && found.length === 1) return { id: one.id, name: one.name }
  const names = people.map(({ name }) => name)
  const nearest = nearestNames(named, names)
  const listed = (nearest.length > 0 ? nearest : names).slice(0, MAX_NAMED).join(', ')
  const why = found.length > 1 ? `${found.length} members are called` : 'No member of this workspace is'
  throw new AssayError(
    'invalid_input',
    `${why} ${JSON.stringify(named)}. It takes the name or the address of one member, me or nobody. Members: ${listed}.`,
    { violations: [{ pointer: '/owner', message: 'must name one member, or be me or nobody' }] },
  )
}

/** Owner's id for the filter; undefined without a filter. */
export const ownerId = async (
  transaction: Transaction,
  caller: Caller,
  named: string | undefined,
): Promise<string | undefined> =>
  named === undefined ? undefined : ((await namedOwner(transaction, caller, named))?.id ?? NOBODY)
