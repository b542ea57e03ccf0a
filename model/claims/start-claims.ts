import type { Transaction } from '../../infra/postgres/port.ts'
import { type ClaimId, derivedId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, Classification } from '../../schemas/domain/vocabulary.ts'
import { nextNumbers } from '../references/next-numbers.ts'

/**
 * The claim that a signal starts; a question or an unclassified one starts none, unless people are asked whether it is
 * the same as one that did.
 */
export const CLAIM_KIND: Readonly<Record<Classification, ClaimKind | null>> = {
  problem: 'problem',
  idea: 'opportunity',
  question: null,
  unclassified: null,
}

/** The claim that a signal starts when it joins no other. */
export const ownClaimId = (signalId: SignalId): ClaimId => derivedId<ClaimId>('claim', signalId)

// `offset 0` keeps each look-up one by its index, whatever the planner knows of the tables.
const FIND_CLUSTERED = `
  select requested.signal_id
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as requested (workspace_id, signal_id, claim_id)
  where exists (
      select from claim_evidence
      where claim_evidence.workspace_id = requested.workspace_id and claim_evidence.signal_id = requested.signal_id
      offset 0
    )
    or exists (select from claims where claims.id = requested.claim_id offset 0)
    or not exists (select from signals where signals.id = requested.signal_id offset 0)`

/**
 * Those of the signals that were clustered before: evidence of a claim, or the start of one, even if a person took them
 * out since. What was erased since it was stored counts as one, too: there is nothing to do about it any more.
 */
export const findClustered = async (
  transaction: Transaction,
  signals: readonly { readonly workspaceId: WorkspaceId; readonly signalId: SignalId }[],
): Promise<ReadonlySet<SignalId>> => {
  const rows = await transaction.query<{ signal_id: SignalId }>(FIND_CLUSTERED, [
    signals.map(({ workspaceId }) => workspaceId),
    signals.map(({ signalId }) => signalId),
    signals.map(({ signalId }) => ownClaimId(signalId)),
  ])
  return new Set(rows.map(row => row.signal_id))
}

/**
 * Whether a signal without a claim may get one where people are asked about it: a question, or what nobody could
 * classify, that waits in Triage. Not against what a person said of it, and not what a code host tells, which is work
 * on the product.
 */
export const MAY_START_CLAIM = `(
  signals.classification in (${Object.entries(CLAIM_KIND)
    .flatMap(([label, kind]) => (kind === null ? `'${label}'` : []))
    .join(', ')})
  and signals.state = 'triage' and signals.classification_version <> 'member' and signals.channel <> 'code_host')`

const READ_TEXTS = `select id, text from signals where id = any ($1::uuid[]) and ${MAY_START_CLAIM}`

/** The texts of those that may start a claim, and never had one. Needs the lock of the workspaces' claims. */
export const readClaimless = async (
  transaction: Transaction,
  signals: readonly { readonly workspaceId: WorkspaceId; readonly signalId: SignalId }[],
): Promise<ReadonlyMap<SignalId, string>> => {
  if (signals.length === 0) return new Map()
  const clustered = await findClustered(transaction, signals)
  const open = signals.filter(({ signalId }) => !clustered.has(signalId)).map(({ signalId }) => signalId)
  const rows = await transaction.query<{ id: SignalId; text: string }>(READ_TEXTS, [[...new Set(open)]])
  return new Map(rows.map(({ id, text }) => [id, text]))
}

const SENTENCES = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })
/** All white space but a single space between two words. */
const SPACING = /(?! \S)\s+/gu
const READ_LENGTH = 1_000
const MAX_TITLE_LENGTH = 120
const MAX_STATEMENT_LENGTH = 1_000
/** Fewer words than this are a greeting more often than a subject. */
const LEAST_WORDS = 3

/**
 * A claim's title: the first sentence that says something, on one line, cut after a word when it is longer than 120
 * characters.
 */
export const titleOf = (text: string): string => {
  const before: string[] = []
  for (const { segment } of SENTENCES.segment(text.slice(0, READ_LENGTH).toWellFormed())) {
    const sentence = segment.replace(SPACING, ' ').trim()
    if (hasSubstance(sentence)) return cutAfterWord(sentence, MAX_TITLE_LENGTH)
    if (sentence !== '') before.push(sentence)
  }
  return cutAfterWord(before.join(' '), MAX_TITLE_LENGTH)
}

/** A claim's statement: the text that started it, cut after a word when it is longer than 1,000 characters. */
export const statementOf = (text: string): string => cutAfterWord(text, MAX_STATEMENT_LENGTH)

const hasSubstance = (sentence: string): boolean => {
  let words = 0
  for (const { isWordLike } of WORDS.segment(sentence)) {
    if (isWordLike) words += 1
    if (words === LEAST_WORDS) return true
  }
  return false
}

/** At most `limit` UTF-16 units, of which the last is an ellipsis when something was cut. */
const cutAfterWord = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, endOfLastWord(text.slice(0, limit))).toWellFormed()}…`

/** Looked for from the end, since most of the text is in front of it. The last character where there is no word. */
const endOfLastWord = (text: string): number => {
  const segments = WORDS.segment(text)
  let last = segments.containing(text.length - 1)
  while (last !== undefined) {
    const end = last.index + last.segment.length
    // What reaches the edge may be the beginning of a longer word.
    if (last.isWordLike && end < text.length) return end
    last = segments.containing(last.index - 1)
  }
  return text.length - 1
}

const INSERT_CLAIMS = `
  insert into claims (id, workspace_id, number, kind, title, statement)
  select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[])`

export interface NewClaim {
  readonly id: ClaimId
  readonly workspaceId: WorkspaceId
  readonly signalId: SignalId
  readonly kind: ClaimKind
  readonly title: string
  readonly statement: string
}

/** The numbers that claims get, in their order. */
export const numberClaims = (transaction: Transaction, claims: readonly NewClaim[]): Promise<readonly number[]> =>
  nextNumbers(
    transaction,
    'claim',
    claims.map(claim => claim.workspaceId),
  )

/** Stores emerging claims under their numbers. Needs the lock of the workspaces. */
export const insertClaims = async (
  transaction: Transaction,
  claims: readonly NewClaim[],
  numbers: readonly number[],
): Promise<void> => {
  if (claims.length === 0) return
  await transaction.query(INSERT_CLAIMS, [
    claims.map(claim => claim.id),
    claims.map(claim => claim.workspaceId),
    numbers,
    claims.map(claim => claim.kind),
    claims.map(claim => claim.title),
    claims.map(claim => claim.statement),
  ])
}

/** Stores emerging claims, numbered in their order. Needs the lock of the workspaces. */
export const startClaims = async (transaction: Transaction, claims: readonly NewClaim[]): Promise<void> =>
  insertClaims(transaction, claims, await numberClaims(transaction, claims))
