import type { Transaction } from '../../infra/postgres/port.ts'
import { searchRanked } from '../../model/search/search-matches.ts'
import { createSearchTexts } from '../../model/search/search-texts.ts'
import { SEARCHED, type SearchedType } from '../../model/search/searched.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Figure, share } from './confidence.ts'
import type { Pipeline } from './pipeline.ts'
import { type LabelledSet, type Query, type Report, said } from './sets.ts'
import { readStored } from './stored.ts'

/** A query that did not find what it wants, and the first that it found. */
export interface Miss {
  readonly query: string
  readonly wanted: string
  readonly found: readonly string[]
}

export interface SearchFigures {
  /** The wanted one among the first five, where claims alone are searched. */
  readonly claims: Figure
  /** Where all is searched, its signal or its claim. */
  readonly all: Figure
  /** Of claims. */
  readonly misses: readonly Miss[]
}

const FIRST = 5
const WAIT_MS = 60_000
const MAX_BYTES = 64 * 1024 * 1024

/** Those of pairs that say the same that come first, and by the text of each other one what it wants. */
export const twinsOf = (
  reports: readonly Report[],
): { readonly texts: readonly Report[]; readonly queries: readonly Query[] } => {
  const byId = new Map(reports.map(report => [report.id, report]))
  const texts = reports.filter(({ id, duplicate_of }) => duplicate_of.every(other => id < other))
  const queries = texts.flatMap(({ id, duplicate_of }) =>
    duplicate_of.flatMap(other => {
      const twin = byId.get(other)
      return twin === undefined ? [] : [{ query: said(twin), language: '', wanted: id }]
    }),
  )
  return { texts, queries }
}

/** Stores texts as signals, whose claims the pipeline makes, and searches for them. */
export const measureSearches = async (
  pipeline: Pipeline,
  texts: readonly Report[],
  { lines }: Pick<LabelledSet<Query>, 'lines'>,
): Promise<SearchFigures> => {
  const workspaceId = await pipeline.workspace()
  const ids = await pipeline.put(workspaceId, texts)
  const { behind } = await readStored(pipeline, workspaceId)
  const placed = new Map(texts.map(({ id }, place) => [id, place]))
  const search = searcher(pipeline, workspaceId)
  const claimsOf = (signal: SignalId | undefined): readonly string[] =>
    [...behind].flatMap(([claim, signals]) => (signal !== undefined && signals.has(signal) ? [claim] : []))

  const claims: boolean[] = []
  const all: boolean[] = []
  const misses: Miss[] = []
  for (const { query, wanted } of lines) {
    const place = placed.get(wanted)
    const signal = place === undefined ? undefined : ids[place]
    const isWanted = new Set<string>([...claimsOf(signal), ...(signal === undefined ? [] : [signal])])
    all.push((await search(query, SEARCHED)).some(({ id }) => isWanted.has(id)))
    // What is neither a problem nor an idea has no claim.
    if (claimsOf(signal).length === 0) continue
    const found = await search(query, ['claim'])
    const isFound = found.some(({ id }) => isWanted.has(id))
    claims.push(isFound)
    if (!isFound) {
      const text = place === undefined ? '' : said(texts[place] ?? { title: '', text: '' })
      misses.push({ query, wanted: text, found: found.map(({ title, score }) => `${score.toFixed(2)} ${title}`) })
    }
  }
  return { claims: share(claims), all: share(all), misses }
}

/** Searches a workspace as the look-up does. */
const searcher = ({ database, embedder, neighbours }: Pipeline, workspaceId: WorkspaceId) => {
  const texts = createSearchTexts({ maxBytes: MAX_BYTES, log: { error: (fields: unknown) => console.log(fields) } })
  const read = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
    database.transaction({ role: 'assay_app', workspaceId }, work)
  return async (text: string, types: readonly SearchedType[]) => {
    const [vector] = await embedder.embed([text])
    if (vector === undefined) throw new TypeError('The query has no vector.')
    const meaning = { workspaceId, model: embedder.model, vector }
    const held = await texts.refresh(read, workspaceId, WAIT_MS)
    await neighbours.fill(read, meaning, WAIT_MS)
    return read(async transaction => {
      const ranked = await searchRanked(transaction, { text, meaning, types, filters: [] }, { texts: held, neighbours })
      const first = ranked.slice(0, FIRST)
      const titles = await transaction.query<{ readonly id: string; readonly title: string }>(
        'select id, title from claims where id = any ($1::uuid[])',
        [first.map(({ id }) => id)],
      )
      const titleOf = new Map(titles.map(({ id, title }) => [id, title]))
      return first.map(({ id, score }) => ({ id, score, title: titleOf.get(id) ?? '' }))
    })
  }
}
