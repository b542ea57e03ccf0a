import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'

/** Of the list that is paged; the other one comes with its first few. */
const PAGE = 10

/** A node with a list of its evidence, page by page. */
export const useNode = (id: string, list: 'signals' | 'claims', enabled = true) => {
  const query = useInfiniteQuery({
    queryKey: ['lookup_node', { id, list }, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(
        'lookup_node',
        { id, list, depth: 'full', limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    enabled,
  })
  const pages = query.data?.pages.map(({ data }) => data) ?? []
  return {
    ...query,
    // Only `call` rejects there, and it does with a Problem.
    error: query.error as Problem | null,
    first: pages[0],
    signals: pages.flatMap(({ signals }) => signals.items),
    claims: pages.flatMap(({ claims }) => claims.items),
  }
}
