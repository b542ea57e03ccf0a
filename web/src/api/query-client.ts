import { QueryClient } from '@tanstack/react-query'
import { isUnavailable } from './problem.ts'

/** How long what was read counts as fresh: moving between screens asks again, re-rendering does not. */
const FRESH_MS = 1000
const ASK_AGAIN_MS = 5000

/**
 * What every read and write of the app shares. A failed read is shown at once, and asked again by itself while something is away. Whether the browser
 * thinks that it is online says nothing: the service may be on this very machine.
 */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        retry: false,
        staleTime: FRESH_MS,
        refetchInterval: ({ state: { error } }) =>
          isUnavailable(error) ? (error.retry_after ?? 0) * 1000 || ASK_AGAIN_MS : false,
      },
    },
  })
