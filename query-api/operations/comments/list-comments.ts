import { COMMENTED, commentsPage, countComments } from '../../../model/comments/comments.ts'
import { resolveAmong } from '../../../model/references/resolve.ts'
import { readOperation, Type } from '../define.ts'
import { cursor, identifier, limit, listDepth } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { COMMENT_LINE, CommentShape, commentInLine, toComment } from './comment.ts'

export const listComments = readOperation({
  name: 'list_comments',
  title: 'The comments on a Signal, claim or Solution',
  summary:
    'Lists what members and agents said to each other about one Signal, claim or Solution, the newest first, each with who wrote it, through which key, and whom it names. A claim has the comments on what was merged into it too.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    id: identifier,
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({ count: Type.Integer(), items: listOf(CommentShape, COMMENT_LINE) }),
  run: (input, { caller, read, services }) =>
    read(async transaction => {
      const about = await resolveAmong(transaction, COMMENTED, input.id)
      const list = `comments ${about.id}`
      const position = decodeCursor(list, input.cursor, services.now())
      const count = await countComments(transaction, about)
      const rows = await commentsPage(transaction, about, { limit: pageSize(input), offset: position.offset })
      const comments = rows.map(row => toComment(row, caller))
      const isWhole = caller.via.kind === 'app'
      const { items, note } = listed(input, comments, { line: commentInLine, isWhole })
      return { data: { count, items }, note, nextCursor: nextCursor(list, position, items.length, count) }
    }),
})
