import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { isUuid, type SignalId, type WorkspaceId, wasAccepted } from '../../schemas/domain/ids.ts'
import { REFERENCE_PREFIXES, reference } from '../../schemas/domain/vocabulary.ts'
import { nearestFirst } from '../words/nearest-names.ts'
import { followMoved, type Moved, movedFrom } from './moved.ts'
import { BY_ID, BY_NAME, BY_NUMBER, type Identifiable, isReferenced, NEAR_NAME } from './statements.ts'

export interface Candidate {
  readonly kind: Identifiable
  readonly id: string
  readonly reference: string | null
  readonly name: string
}

/** The object of an identifier, or the candidates. */
type Resolution =
  | { readonly kind: 'one'; readonly found: Candidate }
  | { readonly kind: 'none' | 'several'; readonly candidates: readonly Candidate[] }

interface NamedRow {
  readonly id: string
  readonly number: number | null
  readonly name: string
  readonly named_id?: string | null
  readonly named_number?: number | null
  readonly lives_in?: number | null
}

interface Found extends Candidate {
  readonly moved: Moved | null
}

/** Candidates in a refusal. */
const MAX_CANDIDATES = 10

const REFERENCE = /^([a-z]{3})-(\d{1,9})$/i

const referencedNumber = (kind: Identifiable, identifier: string): number | null => {
  const match = REFERENCE.exec(identifier)
  if (match === null || !isReferenced(kind) || match[1]?.toUpperCase() !== REFERENCE_PREFIXES[kind]) return null
  return Number(match[2])
}

const foundIn = (kind: Identifiable, row: NamedRow): Found => ({
  kind,
  id: row.id,
  reference: row.number === null || !isReferenced(kind) ? null : reference(kind, row.number),
  name: row.name,
  moved: isReferenced(kind) ? movedFrom(kind, row) : null,
})

const find = async (
  transaction: Transaction,
  kind: Identifiable,
  identifier: string,
): Promise<{ readonly exact: readonly Found[]; readonly near: readonly Found[] }> => {
  const rows = async (statement: string | null, value: unknown): Promise<readonly Found[]> =>
    statement === null ? [] : (await transaction.query<NamedRow>(statement, [value])).map(row => foundIn(kind, row))
  if (isUuid(identifier)) return { exact: await rows(BY_ID[kind], identifier), near: [] }
  const number = referencedNumber(kind, identifier)
  if (number !== null) return { exact: await rows(BY_NUMBER[kind], number), near: [] }
  const exact = await rows(BY_NAME[kind], identifier)
  return { exact, near: exact.length > 0 ? [] : await rows(NEAR_NAME[kind], identifier) }
}

const asCandidate = ({ moved: _, ...candidate }: Found): Candidate => candidate

/**
 * Finds the object of `identifier` (a UUID, a reference, or a name without letter case) in the transaction's workspace.
 * A reading call follows a merged claim or a repeat to the other object and says so; other calls are refused with
 * `conflict`, which names the other object.
 */
export const resolve = async (transaction: Transaction, kind: Identifiable, given: string): Promise<Resolution> => {
  const identifier = given.trim()
  const { exact, near } = await find(transaction, kind, identifier)
  const [found] = exact
  if (found === undefined)
    return { kind: 'none', candidates: nearestFirst(identifier, near.map(asCandidate), MAX_CANDIDATES) }
  if (exact.length > 1) return { kind: 'several', candidates: exact.map(asCandidate) }
  if (found.moved !== null) followMoved(transaction, found.moved)
  return { kind: 'one', found: asCandidate(found) }
}

/**
 * Id of the object that `identifier` itself names, moved or not, for calls that undo a merge, a repeat or a joined
 * theme. `moved` says where the object leads. Throws as `resolveOne` does.
 */
export const resolveItself = async (
  transaction: Transaction,
  kind: 'claim' | 'signal' | 'theme',
  identifier: string,
): Promise<{ readonly id: string; readonly moved: Moved | null }> => {
  const { exact } = await find(transaction, kind, identifier.trim())
  const [found] = exact
  if (found === undefined || exact.length > 1)
    return { ...(await resolveOne(transaction, kind, identifier)), moved: null }
  return { id: found.moved?.id ?? found.id, moved: found.moved }
}

/**
 * The one object of `identifier`. Throws `not_found` or `ambiguous` with the candidates in its context, and
 * `SignalPending` for a signal in the pipeline.
 */
export const resolveOne = async (
  transaction: Transaction,
  kind: Identifiable,
  identifier: string,
): Promise<Candidate> => {
  const resolution = await resolve(transaction, kind, identifier)
  if (resolution.kind === 'one') return resolution.found
  if (kind === 'signal') await requireNoPendingSignal(transaction, identifier)
  await refuseErased(transaction, kind, identifier)
  throw unresolved(kind, identifier, resolution.kind, resolution.candidates)
}

const LAST_NUMBER = `select last_number from reference_counters where kind = $1`

/** Throws `not_found` for the reference of an erased object: no number is given twice. */
export const refuseErased = async (transaction: Transaction, kind: Identifiable, identifier: string): Promise<void> => {
  const number = referencedNumber(kind, identifier.trim())
  if (number === null || number === 0) return
  const [counter] = await transaction.query<{ last_number: number }>(LAST_NUMBER, [kind])
  if (counter === undefined || number > counter.last_number) return
  throw new AssayError(
    'not_found',
    `${identifier.trim().toUpperCase()} was erased, and its reference is given to nothing else. Nothing was changed.`,
  )
}

/** Hints for objects that the search does not find. */
const FOUND_WITH: Readonly<Partial<Record<Identifiable, string>>> = {
  metric: 'service_connect mode list shows the metrics there are.',
  source: 'service_connect mode list shows the sources there are.',
  group: 'service_lookup mode group lists the groups there are.',
  theme: 'service_lookup mode themes lists the themes there are.',
  strategy_element: 'service_orient mode strategy lists them.',
}

const MAX_QUOTED = 80
const quoted = (text: string): string => `"${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text}"`

/** Hint for a reference of the wrong kind: the mode that reads objects of its kind. */
const ofAnotherKind = (kind: Identifiable, identifier: string): string | undefined => {
  const prefix = REFERENCE.exec(identifier.trim())?.[1]?.toUpperCase()
  const meant = Object.entries(REFERENCE_PREFIXES).find(([, known]) => known === prefix)?.[0]
  if (meant === undefined || meant === kind) return
  return `It is the reference of a ${meant}, which service_lookup mode ${meant} reads.`
}

/** The error for an identifier without an object, or with several. */
const unresolved = (
  kind: Identifiable,
  identifier: string,
  why: 'none' | 'several',
  candidates: readonly Candidate[],
): AssayError => {
  const context = { candidates }
  if (why === 'several') {
    return new AssayError(
      'ambiguous',
      `${quoted(identifier)} fits ${candidates.length} objects of kind ${kind}; nothing was changed. Call again with the id of one of the candidates.`,
      { context },
    )
  }
  const next =
    candidates.length > 0
      ? 'Call again with the id of one of the candidates, if one of them is meant.'
      : (ofAnotherKind(kind, identifier) ?? FOUND_WITH[kind] ?? 'Find it with service_lookup, mode search.')
  // An id says nothing to a person, and nobody types one: what it stood for is gone.
  const said = isUuid(identifier.trim())
    ? `That ${kind} is not in this workspace: somebody has removed it, or it never was.`
    : `No ${kind} of this workspace is ${quoted(identifier)}.`
  return new AssayError('not_found', `${said} ${next}`, { context })
}

/**
 * The one object of `identifier` among several kinds. Throws `not_found`, or `ambiguous` when it fits several objects,
 * with the candidates; `SignalPending` as `resolveOne` does.
 */
export const resolveAmong = async <Kind extends Identifiable>(
  transaction: Transaction,
  kinds: readonly [Kind, ...Kind[]],
  identifier: string,
): Promise<Candidate & { readonly kind: Kind }> => {
  const found: (Candidate & { readonly kind: Kind })[] = []
  const near: Candidate[] = []
  for (const kind of kinds) {
    const resolution = await resolve(transaction, kind, identifier)
    if (resolution.kind === 'one') found.push({ ...resolution.found, kind })
    else if (resolution.kind === 'several') throw unresolved(kind, identifier, 'several', resolution.candidates)
    else near.push(...resolution.candidates)
  }
  const [one, ...others] = found
  if (one === undefined) {
    if (kinds.some(kind => kind === 'signal')) await requireNoPendingSignal(transaction, identifier)
    for (const kind of kinds) await refuseErased(transaction, kind, identifier)
    throw unresolved(kinds[0], identifier, 'none', nearestFirst(identifier, near, MAX_CANDIDATES))
  }
  if (others.length > 0) throw unresolved(one.kind, identifier, 'several', found)
  return one
}

/** The error for an accepted signal that is not stored yet. A repeated call may succeed. */
export class SignalPending extends AssayError {
  readonly signalId: SignalId

  constructor(
    id: SignalId,
    message = `The signal ${id} was accepted and is on its way. Call again in a second or two.`,
  ) {
    super('conflict', message, { retriable: true, retryAfterSeconds: 2, context: { status: 'in_pipeline' } })
    this.signalId = id
  }
}

const OWN_WORKSPACE = `select nullif(current_setting('assay.workspace_id', true), '') as id`

/**
 * Throws `SignalPending` for the id of a signal that the transaction's workspace accepted. Call it for ids without a
 * row.
 */
export const requireNoPendingSignal = async (transaction: Transaction, identifier: string): Promise<void> => {
  const id = identifier.trim().toLowerCase()
  if (!isUuid(id)) return
  const [own] = await transaction.query<{ readonly id: WorkspaceId | null }>(OWN_WORKSPACE)
  // The mark in the id shows that it is a signal's.
  if (own?.id && wasAccepted(own.id, id)) throw new SignalPending(id as SignalId)
}
