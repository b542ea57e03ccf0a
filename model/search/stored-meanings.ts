import type { Embedder } from '../../infra/models/port.ts'
import { toVectorBatch, vectorOf } from '../../infra/postgres/vectors.ts'
import type { ChangePlace } from './changed-texts.ts'
import type { Read } from './search-texts.ts'

/**
 * Kinds whose vectors are with the search's own rows; signals and nodes have theirs elsewhere, and a claim means what
 * its signals mean.
 */
export const EMBEDDED = ['solution', 'decision', 'living_doc', 'note'] as const

/** The condition of the indexes of their vectors, which must stand in a statement as it stands there. */
export const IS_EMBEDDED = `kind in (${EMBEDDED.map(kind => `'${kind}'`).join(', ')})`

const MAX_CHARACTERS = 4000
const A_ROUND = 50

const LACKING = `
  select entries.id, kind, changed_in::text as transaction, left(coalesce(
    (select title || E'\\n' || summary from solutions where kind = 'solution' and solutions.id = entries.id),
    (select statement from decisions where kind = 'decision' and decisions.id = entries.id),
    (select markdown from living_documents where kind = 'living_doc' and newest and living_documents.id = entries.id),
    (select text from knowledge_notes where kind = 'note' and knowledge_notes.id = entries.id)), ${MAX_CHARACTERS}) as text
  from (
    ${['model is null', 'model < $3', 'model > $3']
      .map(
        other =>
          `(select * from search_entries where workspace_id = $1 and ${IS_EMBEDDED} and kind = any ($2::text[])
            and ${other} limit ${A_ROUND})`,
      )
      .join(' union all ')}
    limit ${A_ROUND}
  ) as entries`

const STORE = `
  update search_entries set model = $2, embedding = case when is_found then ${vectorOf('$3', 'place')} end
  from unnest($1::uuid[], $4::text[], $5::text[], $6::boolean[]) with ordinality as made (id, kind, transaction, is_found, place)
  where search_entries.id = made.id and search_entries.kind = made.kind and changed_in = made.transaction::xid8`

interface Lacking extends ChangePlace {
  /** Null for what is not to be found, such as an older version. */
  readonly text: string | null
}

/**
 * Gives some of the texts that have no vector of the model one; answers how many it gave. What was changed meanwhile is
 * left for the next time. Embeds outside of its transactions.
 */
const embedLacking = async (read: Read, embedder: Embedder, workspaceId: string): Promise<number> => {
  const lacking = await read(transaction =>
    transaction.query<Lacking>(LACKING, [workspaceId, EMBEDDED, embedder.model]),
  )
  if (lacking.length === 0) return 0
  const vectors = await embedder.embed(lacking.map(({ text }) => text ?? ''))
  await read(transaction =>
    transaction.query(STORE, [
      lacking.map(({ id }) => id),
      embedder.model,
      toVectorBatch(vectors),
      lacking.map(({ kind }) => kind),
      lacking.map(({ transaction: written }) => written),
      lacking.map(({ text }) => text !== null),
    ]),
  )
  return lacking.length
}

/** How many rounds are made for one search: of a workspace with more the next one goes on. */
const MAX_ROUNDS = 40

export interface Meanings {
  /**
   * Embeds what was written since, beside whatever the caller does: nobody waits for it, and what fails is tried again
   * by the next search.
   */
  embedWritten(read: Read, workspaceId: string): void
  /** Resolves when nothing is being embedded. */
  idle(): Promise<unknown>
}

export const createMeanings = (embedder: Embedder): Meanings => {
  const running = new Map<string, Promise<void>>()
  const embedAll = async (read: Read, workspaceId: string): Promise<void> => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if ((await embedLacking(read, embedder, workspaceId)) < A_ROUND) return
    }
  }
  return {
    embedWritten: (read, workspaceId) => {
      if (running.has(workspaceId)) return
      const work = embedAll(read, workspaceId)
        .catch(() => {})
        .finally(() => running.delete(workspaceId))
      running.set(workspaceId, work)
    },
    idle: () => Promise.all(running.values()),
  }
}
