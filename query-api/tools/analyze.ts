import { analyzeActivity } from '../operations/analyze/activity.ts'
import { analyzeClaims } from '../operations/analyze/claims.ts'
import { analyzePrepareReview } from '../operations/analyze/prepare-review.ts'
import { analyzeReview } from '../operations/analyze/review.ts'
import { analyzeReviews } from '../operations/analyze/reviews.ts'
import { analyzeSolutions } from '../operations/analyze/solutions.ts'
import { defineTool } from './define-tool.ts'

export const serviceAnalyze = defineTool({
  name: 'service_analyze',
  title: 'Analyze across the workspace',
  description:
    'Broader analysis than a lookup; costs more work units. activity: counts and measures over everything that happened (signals, steps, dead letters, code-host events, tool calls, Decisions), by metrics, group_by, time and filters, or a question: funnel, trending, latency, sources. claims: all claims compared by the evidence behind them, with totals by kind and state. solutions: all Solutions with their time in state, stuck ones first if asked. review: prepares and saves a Product Review of a period; prepare_review only shows it; reviews reads saved ones.',
  modes: {
    activity: analyzeActivity,
    claims: analyzeClaims,
    solutions: analyzeSolutions,
    review: analyzeReview,
    prepare_review: analyzePrepareReview,
    reviews: analyzeReviews,
  },
})
