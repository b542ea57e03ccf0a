import { useInfiniteQuery } from '@tanstack/react-query'
import { call, type Output } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'

export type Change = Output<'lookup_decision'>['changes'][number]

/** A Decision, with what it changed as far as it is read. */
export const useDecision = (id: string) => {
  const query = useInfiniteQuery({
    queryKey: ['lookup_decision', { id, depth: 'full' }, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('lookup_decision', { id, depth: 'full', ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
  })
  const pages = query.data?.pages ?? []
  return {
    ...query,
    // Only `call` rejects there, and it does with a Problem.
    error: query.error as Problem | null,
    decision: pages[0]?.data.decision ?? undefined,
    count: pages[0]?.data.count ?? 0,
    changes: pages.flatMap(({ data }) => data.changes),
  }
}
