import type { Output } from '../../api/client.ts'

export type Review = NonNullable<Output<'read_review'>['review']>
export type Figures = Review['figures']
export type Job = NonNullable<Output<'read_review'>['job']>

/** A time and the same time before it, as ISO 8601. */
export type Times = Pick<Review, 'period_from' | 'period_to' | 'previous_period_from'>
