import { useQuery } from '@tanstack/react-query'
import type { Problem } from '../../api/http.ts'
import { call, type Output } from '../../api/operations.ts'

export type Cut = NonNullable<NonNullable<NonNullable<Output<'lookup_signal'>['signal']>['cuts']>['parts']>[number]

interface FullSignal {
  readonly text: string
  /** Stored parts of a mail beside its text. */
  readonly cuts: readonly Cut[]
}

type Wanted = 'text' | 'all'

/** A whole text, which may take several answers, followed by its stored cuts. */
const readFull = async (id: string, wanted: Wanted, signal: AbortSignal): Promise<FullSignal> => {
  let text = ''
  const cuts = new Map<Cut['kind'], string>()
  let cursor: string | undefined
  do {
    const input = { id, depth: 'full' as const, ...(cursor !== undefined && { cursor }) }
    const { data, meta } = await call('lookup_signal', input, { signal })
    // For a repeat, its own words.
    const said = data.duplicate ?? data.signal
    text += said?.text ?? ''
    for (const part of said?.cuts?.parts ?? []) cuts.set(part.kind, (cuts.get(part.kind) ?? '') + part.text)
    const isDone = wanted === 'text' && said?.text_truncation == null
    cursor = isDone ? undefined : (meta.next_cursor ?? undefined)
  } while (cursor !== undefined)
  return { text, cuts: Array.from(cuts, ([kind, text]) => ({ kind, text })) }
}

const useFull = (id: string, wanted: Wanted, enabled: boolean): FullSignal | undefined =>
  useQuery<FullSignal, Problem>({
    queryKey: ['lookup_signal', { id }, wanted],
    queryFn: ({ signal }) => readFull(id, wanted, signal),
    enabled,
  }).data

/** The whole text of a signal or a repeat; undefined until it is read. */
export const useFullSignalText = (id: string, enabled: boolean): string | undefined =>
  useFull(id, 'text', enabled)?.text

/** All stored parts of a mail beside its text; undefined until they are read. */
export const useFullCuts = (id: string, enabled: boolean): readonly Cut[] | undefined =>
  useFull(id, 'all', enabled)?.cuts
