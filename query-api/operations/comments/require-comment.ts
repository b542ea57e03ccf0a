import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { lockComment } from '../../../model/comments/comments.ts'
import { type CommentId, isUuid } from '../../../schemas/domain/ids.ts'
import type { Caller } from '../define.ts'

/** A comment has no reference and no name. */
export const commentId = Type.String({ minLength: 1, maxLength: 300, description: 'The comment. A UUID.' })

/** The comment, held. Throws `not_found`, and `forbidden` for who may not change it. */
export const requireComment = async (
  transaction: Transaction,
  { userId, role }: Caller,
  given: string,
  by: 'its author' | 'its author or an owner',
): Promise<CommentId> => {
  const author = isUuid(given) ? await lockComment(transaction, given) : undefined
  if (author === undefined)
    throw new AssayError('not_found', 'No comment of this workspace has this id. It may be deleted.')
  // Found as a comment.
  if (author === userId || (by === 'its author or an owner' && role === 'owner')) return given as CommentId
  throw new AssayError('forbidden', `Only ${by} may do that; nothing was changed.`)
}
