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

/** A claim that says nothing any more since all behind it was erased: what comes again starts it again. */
const IS_EMPTIED = `claims.state = 'dismissed' and claims.statement = ''
  and not exists (select from claim_evidence where claim_evidence.claim_id = claims.id)`

// `offset 0` keeps each look-up one by its index, whatever the planner knows of the tables.
const FIND_CLUSTERED = `
  select requested.signal_id
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as requested (workspace_id, signal_id, claim_id)
  where exists (
      select from claim_evidence
      where claim_evidence.workspace_id = requested.workspace_id and claim_evidence.signal_id = requested.signal_id
      offset 0
    )
    or exists (select from claims where claims.id = requested.claim_id and not (${IS_EMPTIED}) offset 0)
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

const INSERT_CLAIMS = `
  insert into claims (id, workspace_id, number, kind, title, statement)
  select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[])
  on conflict (id) do update set number = excluded.number, kind = excluded.kind, title = excluded.title,
    statement = excluded.statement, state = 'emerging', version = claims.version + 1, updated_at = now()
  where ${IS_EMPTIED}`

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

/**
 * Stores emerging claims under their numbers; one that an erasure emptied gets a new number, since its old one is given
 * to nothing else. Needs the lock of the workspaces.
 */
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
