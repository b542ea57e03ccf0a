import type { Transaction } from '../../infra/postgres/port.ts'
import { type ClaimId, derivedId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, Classification, Need } from '../../schemas/domain/vocabulary.ts'
import { nextNumbers } from '../references/next-numbers.ts'
import { SPEAKS_AS } from '../signals/perhaps.ts'
import { SAYS_NOTHING } from '../signals/says-nothing.ts'

/**
 * Kind of the claim that a signal starts, by what it speaks as. A question or an unclassified signal starts none,
 * unless people are asked whether it is the same as one that did.
 */
export const CLAIM_KIND: Readonly<Record<Classification, ClaimKind | null>> = {
  problem: 'problem',
  idea: 'opportunity',
  question: null,
  unclassified: null,
}

/** Kind of the claim that a signal starts by its classification. */
export const claimKindOf = ({
  label,
  perhaps,
}: {
  readonly label: Classification
  readonly perhaps: Need | null
}): ClaimKind | null => CLAIM_KIND[perhaps ?? label]

/** Id of the claim that a signal starts when it joins no other. */
export const ownClaimId = (signalId: SignalId): ClaimId => derivedId<ClaimId>('claim', signalId)

const FIND_OWN = `
  select id, erased_at is not null as is_erased from claims where id = any ($1::uuid[])`

/** The claim that a signal starts or has started. */
interface OwnClaim {
  readonly id: ClaimId
  readonly isStarted: boolean
}

/**
 * Claims that signals start when they join no other. A signal that was erased after it had started a claim, and comes
 * again, starts another claim: people's work on the first one is about erased text.
 */
export const ownClaims = async (
  transaction: Transaction,
  signalIds: readonly SignalId[],
): Promise<ReadonlyMap<SignalId, OwnClaim>> => {
  const own = new Map<SignalId, OwnClaim>()
  let open = new Map(signalIds.map(id => [id, ownClaimId(id)]))
  // Runs once more for each time that the same signal was erased.
  while (open.size > 0) {
    const rows = await transaction.query<{ id: ClaimId; is_erased: boolean }>(FIND_OWN, [[...open.values()]])
    const found = new Map(rows.map(({ id, is_erased }) => [id, is_erased]))
    const erased = new Map<SignalId, ClaimId>()
    for (const [signalId, id] of open) {
      if (found.get(id) === true) erased.set(signalId, derivedId<ClaimId>('claim', signalId, id))
      else own.set(signalId, { id, isStarted: found.has(id) })
    }
    open = erased
  }
  return own
}

// `offset 0` makes the planner use the index for each look-up, whatever its statistics say.
const FIND_CLUSTERED = `
  select requested.signal_id
  from unnest($1::uuid[], $2::uuid[]) as requested (workspace_id, signal_id)
  where exists (
      select from claim_evidence
      where claim_evidence.workspace_id = requested.workspace_id and claim_evidence.signal_id = requested.signal_id
      offset 0
    )
    or not exists (select from signals where signals.id = requested.signal_id offset 0)`

/**
 * Signals that were clustered before: evidence of a claim or the start of one, even when a person detached them since.
 * Signals that were erased since count, too, because nothing is left to do about them. `own` is the claim that each
 * starts or has started.
 */
export const findClustered = async (
  transaction: Transaction,
  signals: readonly { readonly workspaceId: WorkspaceId; readonly signalId: SignalId }[],
): Promise<{ readonly clustered: ReadonlySet<SignalId>; readonly own: ReadonlyMap<SignalId, OwnClaim> }> => {
  const signalIds = signals.map(({ signalId }) => signalId)
  const [rows, own] = await Promise.all([
    transaction.query<{ signal_id: SignalId }>(FIND_CLUSTERED, [
      signals.map(({ workspaceId }) => workspaceId),
      signalIds,
    ]),
    ownClaims(transaction, signalIds),
  ])
  const started = signalIds.filter(id => own.get(id)?.isStarted === true)
  return { clustered: new Set([...rows.map(row => row.signal_id), ...started]), own }
}

/**
 * Condition: a signal without a claim may get one when people are asked about it. It is a question, or unclassified and
 * perhaps a need, and waits in Triage. Excluded are noise, kinds that a person has set, and events of a code host,
 * which are work on the product.
 */
export const MAY_START_CLAIM = `(
  ${SPEAKS_AS} in (${Object.entries(CLAIM_KIND)
    .flatMap(([label, kind]) => (kind === null ? `'${label}'` : []))
    .join(', ')})
  and signals.state = 'triage' and not ${SAYS_NOTHING} and signals.classification_version <> 'member' and signals.channel <> 'code_host')`

const READ_TEXTS = `select id, text from signals where id = any ($1::uuid[]) and ${MAY_START_CLAIM}`

/** Texts of the signals that may start a claim and never had one. Needs the lock of the workspaces' claims. */
export const readClaimless = async (
  transaction: Transaction,
  signals: readonly { readonly workspaceId: WorkspaceId; readonly signalId: SignalId }[],
): Promise<ReadonlyMap<SignalId, string>> => {
  if (signals.length === 0) return new Map()
  const { clustered } = await findClustered(transaction, signals)
  const open = signals.filter(({ signalId }) => !clustered.has(signalId)).map(({ signalId }) => signalId)
  const rows = await transaction.query<{ id: SignalId; text: string }>(READ_TEXTS, [[...new Set(open)]])
  return new Map(rows.map(({ id, text }) => [id, text]))
}

const INSERT_CLAIMS = `
  insert into claims (id, workspace_id, number, kind, title, statement)
  select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[])
  on conflict (id) do nothing`

export interface NewClaim {
  readonly id: ClaimId
  readonly workspaceId: WorkspaceId
  readonly signalId: SignalId
  readonly kind: ClaimKind
  readonly title: string
  readonly statement: string
}

/** New numbers of claims, in order. */
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

/** Stores emerging claims with numbers in order. Needs the lock of the workspaces. */
export const startClaims = async (transaction: Transaction, claims: readonly NewClaim[]): Promise<void> =>
  insertClaims(transaction, claims, await numberClaims(transaction, claims))
