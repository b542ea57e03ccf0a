import { t } from '../language/messages.ts'
import { Problem } from './problem.ts'

/** What a person is told of an error. Of one that nobody foresaw, not more than that. */
export const messageOf = (error: unknown): string =>
  error instanceof Problem
    ? error.detail
    : t(
        'Something unexpected happened in this page. Load it anew; if it happens again, the browser’s console says more.',
      )
