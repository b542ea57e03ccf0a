import { useQuery } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { call } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'

/**
 * Tells when the person looked last, and has the service remember this look: so it is asked once, and again only when `looks` is
 * another number.
 */
export const useLastVisit = (wanted: boolean, looks: number, tell: (since: string) => void) => {
  const visit = useId()
  const { data, error, refetch } = useQuery({
    queryKey: ['last look', visit, looks],
    queryFn: async () => (await call('orient_changes', { depth: 'summary' })).data.since,
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    if (wanted && data !== undefined) tell(data)
  })
  // Only `call` rejects there, and it does with a Problem.
  return { error: error as Problem | null, refetch }
}
