import { type CommentAbout, insertComment, setMentions } from '../../../model/comments/comments.ts'
import { lockOwner, OWNED, setOwner } from '../../../model/members/people.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { resolveAmong } from '../../../model/references/resolve.ts'
import { AssayError, type Transaction, Type, throwDeleted, type WriteContext, writeOperation } from '../define.ts'
import { expected, requireExpected } from '../parts/expected.ts'
import { identifier, nullable, oneOf, uuid } from '../parts/fields.ts'
import { namedOwner, Owner, ownerField } from '../parts/people.ts'
import { AboutTitle } from './comment.ts'

export const assignOwner = writeOperation({
  name: 'assign_owner',
  title: 'Say who looks after it',
  summary:
    'Sets the owner of a Signal, a claim or a Solution: the one member who looks after it, or nobody. They find it in their inbox. It moves no priority and needs no Decision.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  omittedFields: ['expected'],
  input: Type.Object({
    id: Type.With(identifier, { description: 'The Signal, claim or Solution.' }),
    owner: ownerField,
    expected: expected({ owner: nullable(uuid) }),
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
  apply: async (input, transaction, context) => {
    const { caller } = context
    const { kind, id, reference, name } = await resolveAmong(transaction, OWNED, input.id)
    const owner = await namedOwner(transaction, caller, input.owner)
    const before = await lockOwner(transaction, { kind, id })
    if (before === undefined) return throwDeleted(kind)
    requireExpected('The owner has changed since you read it.', input.expected, { owner: before?.id ?? null })
    if (before?.id === owner?.id) {
      throw new AssayError(
        'invalid_input',
        `Nothing would change: it is ${owner === null ? 'nobody’s' : `${owner.name}’s`} already.`,
      )
    }
    await setOwner(transaction, { kind, id }, owner?.id ?? null)
    if (owner !== null) await tellOwner(transaction, context, { kind, id }, owner)
    return { data: { about: { kind, id, reference, name }, owner } }
  },
})

/** Notifies the new owner, unless they took the object themselves in the app. */
const tellOwner = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  about: CommentAbout,
  { id: owner, name }: { readonly id: string; readonly name: string },
): Promise<void> => {
  const { workspaceId, userId, via } = caller
  if (via.kind === 'app' && owner === userId) return
  await requireQuota(transaction, services.quotas, 'comments', workspaceId)
  const at = services.now()
  const id = await insertComment(transaction, caller, { about, text: `From now on, @${name} looks after this.`, at })
  await setMentions(transaction, workspaceId, id, [owner], at)
}
