import type { Transaction } from '../../infra/postgres/port.ts'
import { FILLER } from '../../infra/word-index/filler.ts'
import { hashWord } from '../../infra/word-index/terms.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Followed } from '../workspaces/follow.ts'
import { type Passage, passagesOf } from './passages.ts'

/** Passages that are stored for a workspace. */
const MAX_KEPT = 5_000
/** Longer greetings have content. */
const MAX_WORDS_OF_GREETING = 3

/** Hashes of passages for storing. They contain no words, so nothing has to be erased. */
export const passageHashes = (keys: ReadonlySet<string>): readonly number[] =>
  [...keys].slice(0, MAX_KEPT).map(hashWord)

/** Passages that unlike signals of a workspace share: they say nothing about a single signal. */
export type SharedPassages = ReadonlySet<number>

const SHARED = `select workspace_id, shared_passages from theme_runs where workspace_id = any ($1::uuid[])`

/** Shared passages of each workspace from its last computation of themes. Workspaces without one are missing. */
export const readSharedPassagesOf = async (
  transaction: Transaction,
  workspaceIds: readonly WorkspaceId[],
): Promise<ReadonlyMap<WorkspaceId, SharedPassages>> => {
  const rows = await transaction.query<{ workspace_id: WorkspaceId; shared_passages: readonly number[] }>(SHARED, [
    workspaceIds,
  ])
  return new Map(rows.map(row => [row.workspace_id, new Set(row.shared_passages)]))
}

const BYTES_A_HASH = 40

/** The shared passages of each workspace, for `followWorkspaces`. */
export const followedPassages: Followed<SharedPassages> = {
  read: readSharedPassagesOf,
  bytes: ({ size }) => size * BYTES_A_HASH,
}

const NONE: SharedPassages = new Set()

export const readSharedPassages = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<SharedPassages> =>
  (await readSharedPassagesOf(transaction, [workspaceId])).get(workspaceId) ?? NONE

export const isShared = ({ key }: Passage, shared: SharedPassages): boolean => shared.has(hashWord(key))

/** The own part of a sentence; for a form's line, the text behind its label. */
export const ownSentence =
  (shared: SharedPassages = NONE) =>
  (sentence: string): string => {
    if (shared.size === 0) return sentence
    const passages = passagesOf(sentence)
    const own = passages.filter(passage => !isShared(passage, shared))
    return own.length === passages.length ? sentence : own.map(({ text }) => text).join(' ')
  }

const isGreeting = ({ text, key }: Passage): boolean =>
  FILLER.test(text) && key.split(' ', MAX_WORDS_OF_GREETING + 1).length <= MAX_WORDS_OF_GREETING

interface Span {
  readonly start: number
  readonly end: number
  readonly isOwn: boolean
}

/** The passages of a text with their positions. */
const spansOf = (text: string, shared: SharedPassages): readonly Span[] => {
  const spans: Span[] = []
  let from = 0
  for (const passage of passagesOf(text)) {
    const start = text.indexOf(passage.text, from)
    if (start === -1) continue
    from = start + passage.text.length
    spans.push({ start, end: from, isOwn: !isShared(passage, shared) && !isGreeting(passage) })
  }
  return spans
}

/** Position of the first own words of a text; 0 when they are at its beginning, or when there are none. */
export const ownBeginning = (text: string, shared: SharedPassages): number => {
  if (shared.size === 0) return 0
  const spans = spansOf(text, shared)
  const first = spans.findIndex(({ isOwn }) => isOwn)
  return first <= 0 ? 0 : (spans[first]?.start ?? 0)
}

/** A text without shared passages; unchanged when nothing else is in it. */
export const ownPart = (text: string, shared: SharedPassages): string => {
  if (shared.size === 0) return text
  const spans = spansOf(text, shared)
  if (!spans.some(({ isOwn }) => isOwn) || spans.every(({ isOwn }) => isOwn)) return text
  const runs: { readonly start: number; end: number }[] = []
  for (const [at, { start, end, isOwn }] of spans.entries()) {
    const last = runs.at(-1)
    if (!isOwn) continue
    if (last !== undefined && spans[at - 1]?.isOwn) last.end = end
    else runs.push({ start, end })
  }
  const said = runs.map(({ start, end }) => text.slice(start, end)).join(' … ')
  return `${spans[0]?.isOwn ? '' : '…'}${said}${spans.at(-1)?.isOwn ? '' : ' …'}`
}
