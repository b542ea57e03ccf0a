import type { Transaction } from '../../../infra/postgres/port.ts'
import type { ProposalId, WorkspaceId } from '../../../schemas/domain/ids.ts'

/** Which proposals a judge is asked about: those that wait and that it was not asked about, or not since a moment that is given. */
export interface JudgedProposals {
  readonly workspaceId: WorkspaceId
  readonly judge: string
  /** Null: what it was asked about once is left out. */
  readonly before: Date | null
}

const TO_ASK = `
  workspace_id = $1 and state = 'waiting'
  and (judged_by is distinct from $2 or ($3::timestamptz is not null and judged_at < $3))`

/** The text by which a claim came to be, as the step `cluster` compares it; what stands for it where its evidence was deleted. */
const textOf = (claim: string): string => `
  select claims.state = 'dismissed' as is_dismissed, left(coalesce((
      select signals.text
      from claim_evidence join signals on signals.id = claim_evidence.signal_id
      where claim_evidence.claim_id = claims.id
      order by claim_evidence.attached_at, signals.number
      limit 1
    ), nullif(claims.statement, ''), claims.title), 4000) as text
  from claims where claims.id = surviving_claim(${claim})`

const READ = `
  select proposal.id, claim.text as claim, candidate.text as candidate, claim.is_dismissed or candidate.is_dismissed as is_dismissed
  from (
    select id, claim_id, candidate_claim_id, proposed_at from merge_proposals where ${TO_ASK} order by proposed_at, id limit $4
  ) as proposal
  cross join lateral (${textOf('proposal.claim_id')}) as claim
  cross join lateral (${textOf('proposal.candidate_claim_id')}) as candidate
  order by proposal.proposed_at, proposal.id`

export interface ProposalToJudge {
  readonly id: ProposalId
  readonly claim: string
  readonly candidate: string
  readonly is_dismissed: boolean
}

/** The oldest of them, with at most 4,000 characters of each side. */
export const readProposals = (
  transaction: Transaction,
  { workspaceId, judge, before }: JudgedProposals,
  most: number,
): Promise<readonly ProposalToJudge[]> => transaction.query<ProposalToJudge>(READ, [workspaceId, judge, before, most])

const COUNT = `select count(*)::int as count from merge_proposals where ${TO_ASK}`

export const countProposals = async (
  transaction: Transaction,
  { workspaceId, judge, before }: JudgedProposals,
): Promise<number> => {
  const [row] = await transaction.query<{ count: number }>(COUNT, [workspaceId, judge, before])
  return row?.count ?? 0
}

const NOW = `select now() as now`

/** The time as `judged_at` has it: clocks of several processors differ. */
export const databaseTime = async (transaction: Transaction): Promise<Date> => {
  const [row] = await transaction.query<{ now: Date }>(NOW)
  if (row === undefined) throw new Error('A statement without a from clause answered no row.')
  return row.now
}

const MARK = `update merge_proposals set judged_by = $2, judged_at = now() where id = $1`

/** Remembers that the judge was asked, whatever it said. */
export const markJudged = async (transaction: Transaction, id: ProposalId, judge: string): Promise<void> => {
  await transaction.query(MARK, [id, judge])
}
