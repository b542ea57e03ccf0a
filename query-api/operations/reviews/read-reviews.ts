import { listReviews, loadReview, reviewsTitled } from '../../../model/reviews/reviews.ts'
import { nearestFirst } from '../../../model/words/nearest-names.ts'
import { daysIn } from '../../../schemas/domain/days.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { AssayError, readOperation, type Transaction, Type } from '../define.ts'
import { cursor, type Depth, identifier, limit, listDepth } from '../parts/fields.ts'
import { decodeCursor, lineOf, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { ReviewShape, toReview } from './review.ts'

/** Id of the only review with a title. Throws `not_found` or `ambiguous` with the candidates. */
const titledReview = async (transaction: Transaction, title: string): Promise<string> => {
  const reviews = await reviewsTitled(transaction, title)
  const [found, ...others] = reviews.filter(review => review.title.toLowerCase() === title.trim().toLowerCase())
  if (found !== undefined && others.length === 0) return found.id
  const candidates = nearestFirst(
    title,
    reviews.map(({ id, title: name }) => ({ id, name })),
  )
  if (found === undefined)
    throw new AssayError(
      'not_found',
      'No Product Review of this workspace has that title. service_analyze mode reviews without id lists them.',
      { context: { candidates } },
    )
  throw new AssayError(
    'ambiguous',
    'Several Product Reviews of this workspace have that title. service_analyze mode reviews takes the id of one.',
    { context: { candidates } },
  )
}

const one = async (transaction: Transaction, id: string, shown: Depth) => {
  const review = await loadReview(transaction, isUuid(id) ? id : await titledReview(transaction, id))
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
    id: Type.Optional(Type.With(identifier, { description: 'A saved review: its UUID or title; all without.' })),
    depth: listDepth,
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
      const { items, note } = listed(input, all, { line: review => lineOf(review, LINE, daysIn(review.time_zone)) })
      return { data: { count, items }, note, nextCursor: nextCursor('reviews', position, items.length, count) }
    }),
})
