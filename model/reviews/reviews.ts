import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Transaction } from '../../infra/postgres/port.ts'
import { newId, type ReviewId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Window } from '../changes/window.ts'
import { gatherFigures, type ReviewPeriod } from './figures.ts'
import { writeReport } from './report.ts'
import type { ReviewFigures } from './review-figures.ts'

/** A Product Review: a dated report with the figures that it was made from. */
export interface ProductReview {
  readonly title: string
  readonly period_from: Date
  readonly period_to: Date
  readonly prepared_by: string
  readonly prepared_at: Date
  readonly text: string
  readonly figures: ReviewFigures
}

export interface SavedReview extends ProductReview {
  readonly id: ReviewId
}

/** Of whom and when a review is. */
interface ReviewMade {
  readonly title: string
  readonly by: string
  readonly at: Date
}

const COLUMNS = 'id, title, period_from, period_to, prepared_by, prepared_at, text, figures'

const INSERT = `
  insert into product_reviews (${COLUMNS}, workspace_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (id) do nothing`

const ONE = `select ${COLUMNS} from product_reviews where id = $1`
const COUNT = `select count(*)::integer as count from product_reviews`
const PAGE = `select ${COLUMNS} from product_reviews order by prepared_at desc, id desc limit $1 offset $2`

/** The review that figures make. */
export const reviewOf = (figures: ReviewFigures, period: Window, { title, by, at }: ReviewMade): ProductReview => ({
  title,
  period_from: period.from,
  period_to: period.to,
  prepared_by: by,
  prepared_at: at,
  text: writeReport(title, period, figures),
  figures,
})

/** Prepares a review of a period from what is known now. Saves nothing. */
export const composeReview = async (
  transaction: Transaction,
  period: ReviewPeriod,
  made: ReviewMade,
): Promise<ProductReview> => reviewOf(await gatherFigures(transaction, period), period, made)

/** Saves a review under an id of its own or the one given; one that is saved under it already stays as it is. */
export const storeReview = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  review: ProductReview,
  id = newId<ReviewId>(),
): Promise<SavedReview> => {
  await transaction.query(INSERT, [
    id,
    review.title,
    review.period_from,
    review.period_to,
    review.prepared_by,
    review.prepared_at,
    review.text,
    JSON.stringify(review.figures),
    workspaceId,
  ])
  return { ...review, id }
}

export const loadReview = async (transaction: Transaction, id: string): Promise<SavedReview | undefined> =>
  (await transaction.query<SavedReview>(ONE, [id]))[0]

/** A page of the saved reviews, the newest first. */
export const listReviews = async (
  transaction: Transaction,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly count: number; readonly reviews: readonly SavedReview[] }> => {
  const [counted] = await transaction.query<{ count: number }>(COUNT)
  return {
    count: counted?.count ?? 0,
    reviews: await transaction.query<SavedReview>(PAGE, [page.limit, page.offset]),
  }
}

/** What a job that prepares a Product Review is given. The review has the id of its job. */
const ReviewJobInput = Type.Object({
  title: Type.String(),
  from: Type.Integer({ description: 'Milliseconds since the epoch.' }),
  to: Type.Integer({ description: 'Milliseconds since the epoch.' }),
  previous_from: Type.Optional(Type.Integer({ description: 'Absent in a job of a version before: as long before.' })),
  by: Type.String(),
  at: Type.Integer({ description: 'When somebody asked for it, in milliseconds since the epoch.' }),
})
export type ReviewJobInput = Static<typeof ReviewJobInput>

const compiled = Compile(ReviewJobInput)

export const isReviewJobInput = (input: unknown): input is ReviewJobInput => compiled.Check(input)
