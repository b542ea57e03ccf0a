import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, SourceId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Content, SignalRecord } from '../../schemas/events/signal.ts'
import { JSON_ESCAPE } from './words.ts'

/** A keyed hash. Only hashes of an erasure's subject are kept, so that nobody can guess the subject. */
export type Pseudonym = (value: string) => string

/**
 * The actor of a signal, as the database's `evidence_actor`: by the address when it is known, else by the name in its
 * source.
 */
export const actorOf = (signal: {
  readonly source_id: SourceId | null
  readonly channel: string
  readonly content: Pick<Content, 'actor_key' | 'actor_name' | 'source'>
}): string => {
  const { actor_key, actor_name, source } = signal.content
  if (actor_key !== null) return actor_key
  return `${source ?? signal.source_id ?? signal.channel}${actor_name === null ? '' : `${SEPARATOR}${actor_name}`}`
}

const SEPARATOR = '\u001f'

/** True when the actor is a person, with an address or a name; a source alone is none. */
const isPerson = (signal: { readonly actor_key: string | null; readonly actor_name: string | null }): boolean =>
  signal.actor_key !== null || signal.actor_name !== null

export const markOf = (kind: 'actor' | 'source' | 'signal', value: string, pseudonym: Pseudonym): string =>
  pseudonym(`erased ${kind} ${value}`)

const RUN = /[\p{L}\p{N}]+/gu

const ESCAPES = new RegExp(JSON_ESCAPE, 'gu')

/** Form in which names and addresses are compared: lower case, single spaces. */
const compared = (words: string): string => words.toLowerCase().replace(/\s+/gu, ' ')

/** `word`: a name or an address in texts. `address`: also in records from before scrub. */
export type WordKind = 'word' | 'address'

/**
 * The mark of a name or an address. It has the number of runs of letters and digits, so that a search finds the text
 * without knowing it. Null for a text without any.
 */
export const markOfWord = (kind: WordKind, word: string, pseudonym: Pseudonym): string | null => {
  const text = word.normalize('NFC')
  const runs = [...text.matchAll(RUN)]
  const [first, last] = [runs.at(0), runs.at(-1)]
  if (first === undefined || last === undefined) return null
  const inner = text.slice(first.index, last.index + last[0].length)
  return `${kind} ${runs.length} ${pseudonym(`erased ${kind} ${compared(inner)}`)}`
}

/** Marked words in a text, in the text's own spelling. */
export const findMarkedWords = (
  kind: WordKind,
  written: string,
  marks: ReadonlySet<string>,
  pseudonym: Pseudonym,
): readonly string[] => {
  const lengths = new Set(
    [...marks].filter(mark => mark.startsWith(`${kind} `)).map(mark => Number(mark.split(' ')[1])),
  )
  if (lengths.size === 0) return []
  const text = written.normalize('NFC').replace(ESCAPES, ' ')
  const runs = [...text.matchAll(RUN)]
  const found = new Set<string>()
  for (const [at, first] of runs.entries())
    for (const length of lengths) {
      const last = runs[at + length - 1]
      if (last === undefined) continue
      const words = text.slice(first.index, last.index + last[0].length)
      // Words far apart are no name.
      if (words.length > MAX_CHARACTERS || found.has(words)) continue
      if (marks.has(`${kind} ${length} ${pseudonym(`erased ${kind} ${compared(words)}`)}`)) found.add(words)
    }
  return [...found]
}

/** Longest name or address, with the separators of its parts. */
const MAX_CHARACTERS = 500

const STORE = `
  insert into erasure_marks (workspace_id, mark, before) select $1, mark, $3 from unnest($2::text[]) as mark
  on conflict (workspace_id, mark) do update set before = greatest(erasure_marks.before, excluded.before)`

/** Signals of these marks that were received before `before` are dropped in the pipeline, from the commit on. */
export const storeMarks = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  marks: readonly string[],
  before: Date,
): Promise<void> => {
  await transaction.query(STORE, [workspaceId, marks, before])
}

const MARKED = `
  select requested.id from unnest($1::uuid[]) as requested (id)
  where exists (select from erasure_marks where workspace_id = requested.id offset 0)`
const FIND = `
  select workspace_id, mark, before from erasure_marks where workspace_id = any ($1::uuid[]) and mark = any ($2::text[])`

type Travelling = Pick<SignalRecord, 'signal_id' | 'workspace_id' | 'source_id' | 'channel' | 'received_at'> & {
  readonly content: Content
}

/** Signals of a batch that were received before somebody erased their sender, their source or themselves. */
export const findErased = async (
  transaction: Transaction,
  batch: readonly Travelling[],
  pseudonym: Pseudonym,
): Promise<ReadonlySet<SignalId>> => {
  const workspaceIds = [...new Set(batch.map(({ workspace_id }) => workspace_id))]
  const marked = await transaction.query<{ id: WorkspaceId }>(MARKED, [workspaceIds])
  if (marked.length === 0) return new Set()
  const of = new Set(marked.map(({ id }) => id))
  const withMarks = batch
    .filter(({ workspace_id }) => of.has(workspace_id))
    .map(signal => ({ signal, marks: marksOf(signal, pseudonym) }))
  const rows = await transaction.query<{ workspace_id: WorkspaceId; mark: string; before: Date }>(FIND, [
    [...of],
    withMarks.flatMap(({ marks }) => marks),
  ])
  const before = new Map(rows.map(row => [`${row.workspace_id} ${row.mark}`, row.before.getTime()]))
  return new Set(
    withMarks
      .filter(({ signal, marks }) =>
        marks.some(mark => signal.received_at < (before.get(`${signal.workspace_id} ${mark}`) ?? 0)),
      )
      .map(({ signal }) => signal.signal_id),
  )
}

const marksOf = (signal: Travelling, pseudonym: Pseudonym): readonly string[] => [
  ...(isPerson(signal.content) ? [markOf('actor', actorOf(signal), pseudonym)] : []),
  ...(signal.source_id === null ? [] : [markOf('source', signal.source_id, pseudonym)]),
  markOf('signal', signal.signal_id, pseudonym),
]
