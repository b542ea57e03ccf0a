import { deleteComment as remove } from '../../../model/comments/comments.ts'
import { Type, writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { commentId, requireComment } from './comment.ts'

export const deleteComment = writeOperation({
  name: 'delete_comment',
  title: 'Delete a comment',
  summary: 'Deletes a comment that you wrote, or an agent with a key of yours; an owner of the workspace deletes any.',
  effect: 'destructive',
  units: 3,
  role: 'member',
  audience: 'people',
  input: Type.Object({ comment_id: commentId }),
  output: Type.Object({ comment_id: uuid }),
  apply: async (input, transaction, { caller }) => {
    const id = await requireComment(transaction, caller, input.comment_id, 'its author or an owner')
    await remove(transaction, id)
    return { data: { comment_id: id } }
  },
})
