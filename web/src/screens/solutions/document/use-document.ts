import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDraft } from '../../../api/drafts.ts'
import type { Problem } from '../../../api/http.ts'
import { call, type Input, type Output, operationKey } from '../../../api/operations.ts'

type DocumentQuery = Pick<Input<'lookup_living_document'>, 'id' | 'show' | 'version' | 'since_version'>

/**
 * A Living Document, or the differences of two versions, with its whole text: the operation answers a long one in
 * parts.
 */
export const useFullText = (documentQuery: DocumentQuery, { enabled = true }: { readonly enabled?: boolean } = {}) =>
  useQuery<Output<'lookup_living_document'>, Problem>({
    queryKey: [...operationKey('lookup_living_document', documentQuery), 'whole'],
    queryFn: ({ signal }) => wholeText(documentQuery, signal),
    enabled,
  })

const wholeText = async (
  documentQuery: DocumentQuery,
  signal: AbortSignal,
): Promise<Output<'lookup_living_document'>> => {
  const input: Input<'lookup_living_document'> = { ...documentQuery, depth: 'full' }
  const { data: first, meta } = await call('lookup_living_document', input, { signal })
  let text = first.text
  let cursor = meta.next_cursor
  while (cursor !== null) {
    // All of them of the version that the first part is of, whatever is written meanwhile.
    const next = await call('lookup_living_document', { ...input, version: first.version, cursor }, { signal })
    text += next.data.text
    cursor = next.meta.next_cursor
  }
  return { ...first, text, text_truncation: null }
}

/** An edit that is not a version yet. */
export interface Draft {
  /** The version that it was begun on; 0 where there was none. */
  readonly version: number
  readonly text: string
  /** Made by ticking tasks alone: the text is read, not written, until somebody begins to write. */
  readonly isTicked?: boolean
}

/** The edit of a Solution’s Living Document, kept by this tab until it is saved or thrown away. */
export const useDocumentDraft = (reference: string) => {
  const [kept, keep] = useDraft(`document ${reference}`)
  // Written below, and by nobody else.
  const draft = useMemo(() => (kept === null ? null : (JSON.parse(kept) as Draft)), [kept])
  return [draft, (next: Draft | null): void => keep(next === null ? null : JSON.stringify(next))] as const
}
