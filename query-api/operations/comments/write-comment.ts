import { COMMENTED, insertComment, readComment } from '../../../model/comments/comments.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { resolveAmong } from '../../../model/references/resolve.ts'
import { Type, throwDeleted, writeOperation } from '../define.ts'
import { identifier } from '../parts/fields.ts'
import { CommentShape, commentText, mentionNamed, toComment } from './comment.ts'

export const writeComment = writeOperation({
  name: 'write_comment',
  title: 'Comment on a Signal, claim or Solution',
  summary:
    'Says something to the people who work on a Signal, a claim or a Solution: a question, an answer, news. @ and a member’s name puts it into their inbox. It is shown under your name, with the label of the key that it came through. It is no evidence, no Decision and no note for later; the search does not find it.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    id: Type.With(identifier, { description: 'The Signal, claim or Solution.' }),
    text: commentText,
  }),
  output: CommentShape,
  apply: async (input, transaction, { caller, services }) => {
    const about = await resolveAmong(transaction, COMMENTED, input.id)
    await requireQuota(transaction, services.quotas, 'comments', caller.workspaceId)
    const text = input.text.trim()
    const at = services.now()
    const id = await insertComment(transaction, caller, { about, text, at })
    await mentionNamed(transaction, caller, { id, text, at })
    const written = (await readComment(transaction, id)) ?? throwDeleted('comment')
    return { data: toComment(written, caller) }
  },
})
