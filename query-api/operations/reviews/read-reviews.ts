import { listReviews, loadReview } from '../../../model/reviews/reviews.ts'
import { AssayError, readOperation, type Transaction, Type } from '../define.ts'
import { cursor, type Depth, depth, limit, uuid } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { ReviewShape, toReview } from './review.ts'

const one = async (transaction: Transaction, id: string, shown: Depth) => {
  const review = await loadReview(transaction, id)
  if (review !== undefined) return { count: 1, items: [toReview(review, shown)] }
  throw new AssayError(
    'not_found',
    `No Product Review of this workspace is ${id}. service_analyze mode reviews without id lists them.`,
  )
}

const LINE = ['id', 'title', 'period_from', 'period_to'] as const

export const readReviews = readOperation({
  name: 'read_reviews',
  title: 'The saved Product Reviews',
  summary:
    'With id, answers that Product Review whole, with depth full also the figures that it was made from; without, lists the saved ones, the newest first, each with its beginning.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    id: Type.Optional(Type.With(uuid, { description: 'A saved review; all without.' })),
    depth,
    limit,
    cursor,
  }),
  output: Type.Object({ count: Type.Integer(), items: listOf(ReviewShape, LINE) }),
  run: (input, { read, services }) =>
    read(async transaction => {
      if (input.id !== undefined) return { data: await one(transaction, input.id, input.depth ?? 'standard') }
      const position = decodeCursor('reviews', input.cursor, services.now())
      const page = { limit: pageSize(input), offset: position.offset }
      const { count, reviews } = await listReviews(transaction, page)
      const all = reviews.map(review => toReview(review, 'summary'))
      const { items, note } = listed(input, all, { line: LINE })
      return { data: { count, items }, note, nextCursor: nextCursor('reviews', position, items.length, count) }
    }),
})
