import { When } from '../../parts/when.tsx'
import { OWN_ZONE } from './own-zone.ts'
import type { Review } from './review.ts'
import { timeSaid } from './time-said.ts'

/** The time that a review is of, what it is compared with, and whose it is. */
export const ReviewFacts = ({ review }: { readonly review: Review }) => {
  const { period_from, period_to, before_from, prepared_by, prepared_at } = review
  return (
    <>
      {timeSaid(period_from, period_to, OWN_ZONE)}, compared with {timeSaid(before_from, period_from, OWN_ZONE)}
      <br />
      Prepared by <bdi>{prepared_by}</bdi>, <When at={prepared_at} />. The figures are as they were then; links lead to
      what is known by now.
    </>
  )
}
