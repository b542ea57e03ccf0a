import { editComment as edit, readComment } from '../../../model/comments/comments.ts'
import { Type, throwDeleted, writeOperation } from '../define.ts'
import { expected, requireExpected } from '../parts/expected.ts'
import { CommentShape, commentId, commentText, mentionNamed, requireComment, toComment } from './comment.ts'

export const editComment = writeOperation({
  name: 'edit_comment',
  title: 'Change your comment',
  summary:
    'Changes the words of a comment that you wrote, or an agent with a key of yours. Whom it names anew is told; who had read it before is not told again.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  input: Type.Object({
    comment_id: commentId,
    text: commentText,
    expected: expected({ text: commentText }),
  }),
  output: CommentShape,
  apply: async (input, transaction, { caller, services }) => {
    const id = await requireComment(transaction, caller, input.comment_id, 'its author')
    const before = (await readComment(transaction, id)) ?? throwDeleted('comment')
    requireExpected('The comment has changed since you read it.', input.expected, { text: before.text })
    const text = input.text.trim()
    const at = services.now()
    await edit(transaction, id, text, at)
    await mentionNamed(transaction, caller, { id, text, at })
    return { data: toComment((await readComment(transaction, id)) ?? throwDeleted('comment'), caller) }
  },
})
