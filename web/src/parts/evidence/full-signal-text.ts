import { useQuery } from '@tanstack/react-query'
import type { Problem } from '../../api/http.ts'
import { call } from '../../api/operations.ts'

/** All of a text, which may take several answers. */
const readFullText = async (id: string, signal: AbortSignal): Promise<string> => {
  let text = ''
  let cursor: string | undefined
  do {
    const input = { id, depth: 'full' as const, ...(cursor !== undefined && { cursor }) }
    const { data, meta } = await call('lookup_signal', input, { signal })
    // Of a repeat its own words.
    text += (data.duplicate ?? data.signal)?.text ?? ''
    cursor = meta.next_cursor ?? undefined
  } while (cursor !== undefined)
  return text
}

/** All that a Signal, or a repeat of one, says; undefined until it is read. */
export const useFullSignalText = (id: string, enabled: boolean): string | undefined =>
  useQuery<string, Problem>({
    queryKey: ['lookup_signal', { id }, 'full text'],
    queryFn: ({ signal }) => readFullText(id, signal),
    enabled,
  }).data
