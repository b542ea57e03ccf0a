import { ClaimsPart } from './claims-part.tsx'
import { KeyFigures } from './key-figures.tsx'
import { MetricsPart } from './metrics-part.tsx'
import { OutcomesPart } from './outcomes-part.tsx'
import type { Review } from './review.ts'
import { SignalsPart } from './signals-part.tsx'
import { SolutionsPart } from './solutions-part.tsx'

/** A review from its key figures to its metrics, each number with the way to its evidence. */
export const ReviewReport = ({ review }: { readonly review: Review }) => {
  const { figures } = review
  return (
    <>
      <KeyFigures figures={figures} times={review} />
      <SignalsPart signals={figures.signals} times={review} />
      <ClaimsPart claims={figures.claims} times={review} />
      <SolutionsPart solutions={figures.solutions} times={review} />
      <OutcomesPart outcomes={figures.outcomes} times={review} />
      <MetricsPart metrics={figures.metrics} />
    </>
  )
}
