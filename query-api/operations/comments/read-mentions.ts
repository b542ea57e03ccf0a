import { countMentions, markRead } from '../../../model/comments/comments.ts'
import { Type, writeOperation } from '../define.ts'

const MAX_COMMENTS = 100

export const readMentions = writeOperation({
  name: 'read_mentions',
  title: 'Say that you read comments',
  summary: 'Takes comments that name you out of what you have not read: those named, or all of them.',
  effect: 'write',
  units: 1,
  role: 'viewer',
  audience: 'people',
  cannotBeUndone: 'What somebody has read stays read; the comments stay in their inbox.',
  input: Type.Object({
    comments: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        minItems: 1,
        maxItems: MAX_COMMENTS,
        uniqueItems: true,
        description: 'Ids of comments. Default all.',
      }),
    ),
  }),
  output: Type.Object({ unread: Type.Integer() }),
  apply: async (input, transaction, { caller, services }) => {
    await markRead(transaction, caller.userId, input.comments ?? null, services.now())
    const { unread } = await countMentions(transaction, caller.userId)
    return { data: { unread } }
  },
})
