import { useInfiniteQuery } from '@tanstack/react-query'
import { call, type Output } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'

export type Claim = Output<'lookup_claim'>
export type Evidence = Claim['evidence']['items'][number]

/** A claim as its first page has it, with the evidence of all pages read so far. */
export const useClaim = (id: string) => {
  const query = useInfiniteQuery({
    queryKey: ['lookup_claim', { id, depth: 'full' }, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('lookup_claim', { id, depth: 'full', ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
  })
  const pages = query.data?.pages ?? []
  return {
    ...query,
    // Only `call` rejects there, and it does with a Problem.
    error: query.error as Problem | null,
    claim: pages[0]?.data,
    evidence: pages.flatMap(({ data }) => data.evidence.items),
  }
}
