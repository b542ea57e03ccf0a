import { type Comment, countMentions, mentionsPage, readComments } from '../../../model/comments/comments.ts'
import { readOperation, Type } from '../define.ts'
import { cursor, DEFAULT_LIMIT, instant, limit, nullable } from '../parts/fields.ts'
import { decodeCursor, nextCursor } from '../parts/lists.ts'
import { AboutTitle, CommentShape, toComment } from './comment.ts'

export const listMentions = readOperation({
  name: 'list_mentions',
  title: 'Your inbox',
  summary:
    'Lists the comments that name you with an @, the newest first, with whether you have read each, and how many you have not: at most 100 are counted.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({ limit, cursor }),
  output: Type.Object({
    count: Type.Integer(),
    unread: Type.Integer({ description: 'At most 100.' }),
    items: Type.Array(Type.Object({ comment: CommentShape, title: AboutTitle, read_at: nullable(instant) })),
  }),
  run: (input, { caller, read, services }) =>
    read(async transaction => {
      const position = decodeCursor('mentions', input.cursor, services.now())
      const counts = await countMentions(transaction, caller.userId)
      const page = { limit: input.limit ?? DEFAULT_LIMIT, offset: position.offset }
      const mentions = await mentionsPage(transaction, caller.userId, page)
      const ids = mentions.map(mention => mention.comment_id)
      const comments = new Map((await readComments(transaction, ids)).map(comment => [comment.id, comment]))
      const items = mentions.flatMap(({ comment_id, read_at }) => {
        const comment: Comment | undefined = comments.get(comment_id)
        if (comment === undefined) return []
        return [{ comment: toComment(comment, caller), title: comment.title, read_at: read_at?.toISOString() ?? null }]
      })
      return { data: { ...counts, items }, nextCursor: nextCursor('mentions', position, mentions.length, counts.count) }
    }),
})
