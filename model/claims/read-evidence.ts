import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'
import { type ClaimKind, type Classification, reference } from '../../schemas/domain/vocabulary.ts'
import { accountIn } from '../signals/accounts.ts'
import { happenedAt, NEWEST_FIRST } from '../signals/happened.ts'
import type { StoredRejection } from './change-evidence.ts'

type AttachedBy = 'cluster' | 'judge' | 'member'

/** A signal as evidence of a claim, with its origin and reason. */
export interface EvidenceRow {
  readonly signal_id: SignalId
  readonly number: number
  readonly text: string
  readonly classification: Classification
  readonly source: string | null
  readonly source_url: string | null
  readonly actor_name: string | null
  readonly account: string | null
  readonly occurrences: number
  readonly occurred_at: Date
  readonly received_at: Date
  readonly attached_by: AttachedBy
  readonly actor: string
  readonly reason: string
  readonly attached_at: Date
  /** Numbers of the merged claims through which it came; none for the claim's own evidence. */
  readonly merged_from: readonly number[]
  readonly lost_candidates: readonly StoredRejection[]
}

// A signal happened no later than `newest_at` of its evidence, which an index orders. The rows down to the page's end
// give the time before which no evidence must be read.
const EVIDENCE = `
  with newest as (
    select signal_id from claim_evidence where claim_id = $1::uuid order by newest_at desc limit $2::integer + $3::integer
  )
  select signal_id, number, text, classification, source, source_url, actor_name, ${accountIn()} as account, occurred_at, received_at, attached_by, actor, reason, attached_at, lost_candidates,
    array(select claims.number from claims where claims.id = any (origins) and claims.id <> $1 order by number) as merged_from,
    (select count(*)::integer from occurrences where occurrences.signal_id = claim_evidence.signal_id) as occurrences
  from claim_evidence join signals on signals.id = signal_id
  where claim_id = $1::uuid
    and newest_at >= (select min(${happenedAt()}) from newest join signals on signals.id = newest.signal_id)
  order by ${NEWEST_FIRST}
  limit $2 offset $3`

/** A page of a claim's evidence, newest signal first. */
export const readEvidence = (
  transaction: Transaction,
  claimId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<EvidenceRow[]> => transaction.query<EvidenceRow>(EVIDENCE, [claimId, page.limit, page.offset])

const COUNT = `select count(*)::integer as count from claim_evidence where claim_id = $1`

/** Number of signals behind a claim, without repeats. */
export const countEvidence = async (transaction: Transaction, claimId: string): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT, [claimId]))[0]?.count ?? 0

/** A signal behind a claim, and its origin. */
export interface PieceOfEvidence {
  readonly signal_id: SignalId
  readonly number: number
  readonly text: string
  readonly attached_by: AttachedBy
  readonly origins: readonly ClaimId[]
}

const PIECES = `
  select signal_id, number, text, attached_by, origins
  from claim_evidence join signals on signals.id = signal_id
  where claim_id = $1
  order by number`

/** All evidence of a claim, oldest signal first. */
export const piecesOfEvidence = (transaction: Transaction, claimId: ClaimId): Promise<PieceOfEvidence[]> =>
  transaction.query<PieceOfEvidence>(PIECES, [claimId])

/** A signal's tie to a claim. */
export interface Attachment {
  readonly claim_id: ClaimId
  readonly number: number
  readonly kind: ClaimKind
  readonly attached_by: AttachedBy
  readonly attached_at: Date
  readonly origins: readonly ClaimId[]
  readonly lost_candidates: readonly StoredRejection[]
}

const ATTACHMENTS = `
  select claim_id, number, kind, attached_by, attached_at, origins, lost_candidates
  from claim_evidence join claims on claims.id = claim_id
  where signal_id = $1
  order by attached_at desc, number`

/** Claims of a signal with the reasons, latest first. */
export const attachmentsOf = (transaction: Transaction, id: SignalId): Promise<Attachment[]> =>
  transaction.query<Attachment>(ATTACHMENTS, [id])

const CLAIMS_OF_SIGNALS = `
  select signal_id, claim_id as id, number from claim_evidence join claims on claims.id = claim_id
  where signal_id = any ($1::uuid[]) order by number`

interface ClaimOfSignal {
  readonly signal_id: SignalId
  readonly id: ClaimId
  readonly number: number
}

/** Claims of a signal, oldest first. */
export const claimsOf = async (
  transaction: Transaction,
  id: SignalId,
): Promise<readonly { readonly id: ClaimId; readonly reference: string }[]> =>
  (await transaction.query<ClaimOfSignal>(CLAIMS_OF_SIGNALS, [[id]])).map(claim => ({
    id: claim.id,
    reference: reference('claim', claim.number),
  }))

/** Reference of each signal's oldest claim. Signals without a claim are left out. */
export const firstClaims = async (
  transaction: Transaction,
  signals: readonly { readonly id: SignalId }[],
): Promise<ReadonlyMap<SignalId, string>> => {
  const rows = await transaction.query<ClaimOfSignal>(CLAIMS_OF_SIGNALS, [signals.map(({ id }) => id)])
  return new Map(rows.toReversed().map(row => [row.signal_id, reference('claim', row.number)]))
}
