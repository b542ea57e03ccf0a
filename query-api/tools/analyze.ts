import { analyzeActivity } from '../operations/activity/analyze-activity.ts'
import { analyzeClaims } from '../operations/claims/analyze-claims.ts'
import { prepareReview } from '../operations/reviews/prepare-review.ts'
import { readReviews } from '../operations/reviews/read-reviews.ts'
import { saveReview } from '../operations/reviews/save-review.ts'
import { analyzeSolutions } from '../operations/solutions/analyze-solutions.ts'
import { defineTool } from './define-tool.ts'

export const serviceAnalyze = defineTool({
  name: 'service_analyze',
  title: 'Analyze across the workspace',
  description:
    'Broader than a lookup; costs more work units. activity: counts and measures over everything that happened (signals, steps, dead letters, code-host events, tool calls, Decisions). claims: all claims compared by the evidence behind them, with totals by kind and state. solutions: all Solutions with their time in state. review: saves a Product Review of a period; prepare_review only shows it; reviews reads saved ones.',
  modes: {
    activity: analyzeActivity,
    claims: analyzeClaims,
    solutions: analyzeSolutions,
    review: saveReview,
    prepare_review: prepareReview,
    reviews: readReviews,
  },
})
