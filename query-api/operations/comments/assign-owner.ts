import { lockOwner, OWNED, setOwner } from '../../../model/members/people.ts'
import { resolveAmong } from '../../../model/references/resolve.ts'
import { AssayError, Type, throwDeleted, writeOperation } from '../define.ts'
import { identifier, nullable, oneOf, uuid } from '../parts/fields.ts'
import { namedOwner, Owner, ownerField } from '../parts/people.ts'
import { AboutTitle } from './comment.ts'

export const assignOwner = writeOperation({
  name: 'assign_owner',
  title: 'Say who looks after it',
  summary:
    'Sets the owner of a Signal, a claim or a Solution: the one member who looks after it, or nobody. It moves no priority and needs no Decision; everybody may still work on it.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    id: Type.With(identifier, { description: 'The Signal, claim or Solution.' }),
    owner: ownerField,
  }),
  output: Type.Object({
    about: Type.Object({
      kind: oneOf(OWNED),
      id: uuid,
      reference: nullable(Type.String()),
      name: AboutTitle,
    }),
    owner: Owner,
  }),
  apply: async (input, transaction, { caller }) => {
    const { kind, id, reference, name } = await resolveAmong(transaction, OWNED, input.id)
    const owner = await namedOwner(transaction, caller, input.owner)
    const before = await lockOwner(transaction, { kind, id })
    if (before === undefined) return throwDeleted(kind)
    if (before?.id === owner?.id) {
      throw new AssayError(
        'invalid_input',
        `Nothing would change: it is ${owner === null ? 'nobody’s' : `${owner.name}’s`} already.`,
      )
    }
    await setOwner(transaction, { kind, id }, owner?.id ?? null)
    return { data: { about: { kind, id, reference, name }, owner } }
  },
})
