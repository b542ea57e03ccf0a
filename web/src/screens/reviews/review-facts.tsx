import { formatMoment, formatPeriod } from './format-period.ts'
import { OWN_ZONE } from './own-zone.ts'
import type { Review } from './review.ts'

/** The time that a review is of, what it is compared with, and whose it is. */
export const ReviewFacts = ({ review }: { readonly review: Review }) => {
  const { period_from, period_to, before_from, prepared_by, prepared_at } = review
  return (
    <>
      {formatPeriod(period_from, period_to, OWN_ZONE)}, compared with the same time before, from{' '}
      {formatMoment(before_from, OWN_ZONE)}
      <br />
      Prepared by <bdi>{prepared_by}</bdi> on {formatMoment(prepared_at, OWN_ZONE)}
      <span data-chrome>. The figures stay as they were then; their links show what is known by now.</span>
    </>
  )
}
