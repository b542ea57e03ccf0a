import { analyzeActivity } from '../operations/analyze/activity.ts'
import { analyzeClaims } from '../operations/analyze/claims.ts'
import { defineTool } from './define-tool.ts'

export const serviceAnalyze = defineTool({
  name: 'service_analyze',
  title: 'Analyze across the workspace',
  description:
    'Broader analysis than a lookup; costs more work units. activity: counts and measures over everything that happened (signals, steps, dead letters, code-host events, tool calls, Decisions), by metrics, group_by, time and filters. claims: all claims compared by the evidence behind them, with totals by kind and state.',
  modes: {
    activity: analyzeActivity,
    claims: analyzeClaims,
  },
})
