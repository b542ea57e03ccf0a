import { QueryClient } from '@tanstack/react-query'
import { isAway } from './problem.ts'

/** How long what was read counts as fresh: moving between screens asks again, re-rendering does not. */
const FRESH_MS = 1000
const ASK_AGAIN_MS = 5000

/** What every read of the app shares. A failed read is shown at once, and asked again by itself while something is away. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: FRESH_MS,
        refetchInterval: ({ state: { error } }) =>
          isAway(error) ? (error.retry_after ?? 0) * 1000 || ASK_AGAIN_MS : false,
      },
    },
  })
