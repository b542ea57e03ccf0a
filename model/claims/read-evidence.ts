import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'
import { type ClaimKind, type Classification, reference } from '../../schemas/domain/vocabulary.ts'
import { accountIn } from '../signals/accounts.ts'
import { happenedAt, NEWEST_FIRST } from '../signals/happened.ts'
import type { RejectedCandidate } from './change-evidence.ts'

type AttachedBy = 'cluster' | 'judge' | 'member'

/** A signal behind a claim, with who or what attached it and why. */
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
  /** Numbers of the merged claims that it belongs to; none when it is the claim's own. */
  readonly merged_from: readonly number[]
  readonly lost_candidates: readonly RejectedCandidate[]
}

// A signal happened no later than the newest of its evidence, which an index has in order: as many as the page reaches
// down to tell from when on the rest of it is not to be looked at.
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

/** A page of a claim's evidence, the newest signal first. */
export const readEvidence = (
  transaction: Transaction,
  claimId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<EvidenceRow[]> => transaction.query<EvidenceRow>(EVIDENCE, [claimId, page.limit, page.offset])

const COUNT = `select count(*)::integer as count from claim_evidence where claim_id = $1`

/** How many signals are behind a claim, repeats not counted. */
export const countEvidence = async (transaction: Transaction, claimId: string): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT, [claimId]))[0]?.count ?? 0

/** A signal behind a claim, and how it came there. */
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

/** All of a claim's evidence, the oldest signal first. */
export const piecesOfEvidence = (transaction: Transaction, claimId: ClaimId): Promise<PieceOfEvidence[]> =>
  transaction.query<PieceOfEvidence>(PIECES, [claimId])

/** How a signal is evidence of a claim. */
export interface Attachment {
  readonly claim_id: ClaimId
  readonly number: number
  readonly kind: ClaimKind
  readonly attached_by: AttachedBy
  readonly attached_at: Date
  readonly origins: readonly ClaimId[]
  readonly lost_candidates: readonly RejectedCandidate[]
}

const ATTACHMENTS = `
  select claim_id, number, kind, attached_by, attached_at, origins, lost_candidates
  from claim_evidence join claims on claims.id = claim_id
  where signal_id = $1
  order by attached_at desc, number`

/** What a signal is evidence of, the last first. */
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

/** The claims that a signal is evidence of, the oldest first. */
export const claimsOf = async (
  transaction: Transaction,
  id: SignalId,
): Promise<readonly { readonly id: ClaimId; readonly reference: string }[]> =>
  (await transaction.query<ClaimOfSignal>(CLAIMS_OF_SIGNALS, [[id]])).map(claim => ({
    id: claim.id,
    reference: reference('claim', claim.number),
  }))

/** The reference of the oldest claim of each signal that is evidence of one. */
export const firstClaims = async (
  transaction: Transaction,
  signals: readonly { readonly id: SignalId }[],
): Promise<ReadonlyMap<SignalId, string>> => {
  const rows = await transaction.query<ClaimOfSignal>(CLAIMS_OF_SIGNALS, [signals.map(({ id }) => id)])
  return new Map(rows.toReversed().map(row => [row.signal_id, reference('claim', row.number)]))
}
