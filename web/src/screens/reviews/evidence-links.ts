import { signalsQuestion } from '../../parts/evidence/signals-question.ts'
import type { Times } from './review.ts'

/** The question of Explore that counts the Signals of a review’s time, all or of one classification. */
export const signalsOf = ({ period_from, period_to }: Times, classification?: string): string =>
  signalsQuestion({ from: period_from, to: period_to }, classification)

/** The list of what changed of one kind within a review’s time. */
export const changesOf = (kind: string, { period_from, period_to }: Times): string =>
  `/app/changes?${new URLSearchParams({ kind, range: 'between', from: period_from, until: period_to })}`
