import { MAX_LIMIT } from '../../../../schemas/domain/limits.ts'
import { call, type Output, usePages } from '../../api/operations.ts'

/** Of the list that is paged; the other one comes with its first few. */
const PAGE = 10

/** A node with a list of its evidence, page by page. */
export const useNode = (id: string, list: 'signals' | 'claims', enabled = true) => {
  const query = usePages('lookup_node', { id, list, depth: 'full', limit: PAGE }, { enabled })
  return {
    ...query,
    signals: query.pages.flatMap(({ signals }) => signals.items),
    claims: query.pages.flatMap(({ claims }) => claims.items),
  }
}

/** What people wrote about a node, whole. */
export interface NodeTexts {
  readonly name: string
  readonly description: string
  readonly examples: readonly string[]
}

type Piece = Output<'lookup_node'>['texts']['items'][number]

/** The texts that pieces make, joined as they are: number 0 is the description, the others are the examples. */
export const textsOf = (name: string, pieces: readonly Piece[]): NodeTexts => {
  const joined: string[] = []
  for (const { number, text } of pieces) joined[number] = `${joined[number] ?? ''}${text}`
  const [description = '', ...examples] = joined
  return { name, description, examples }
}

/**
 * Reads a node’s texts, whose pieces may take several answers, with the version that they are of. Rejects with a
 * Problem.
 */
export const readTexts = async (id: string, signal: AbortSignal): Promise<NodeTexts & { readonly version: number }> => {
  const pieces: Piece[] = []
  let cursor: string | null = null
  for (;;) {
    const { data, meta }: Awaited<ReturnType<typeof readPage>> = await readPage(id, cursor, signal)
    pieces.push(...data.texts.items)
    cursor = meta.next_cursor ?? null
    if (cursor === null) return { ...textsOf(data.node.name, pieces), version: data.node.version }
  }
}

const readPage = (id: string, cursor: string | null, signal: AbortSignal) =>
  call(
    'lookup_node',
    { id, list: 'texts', depth: 'summary', limit: MAX_LIMIT, ...(cursor !== null && { cursor }) },
    { signal },
  )
