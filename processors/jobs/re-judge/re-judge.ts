import { type Static, Type } from 'typebox'
import type { Judge, Verdict } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { settleVerdict } from '../../../model/merges/settle-verdict.ts'
import type { ProposalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { type InWorkspace, inWorkspace } from '../in-workspace.ts'
import { cursorReader, type JobDefinition, type JobSlice, type SliceResult } from '../job-kind.ts'

/** Selects waiting proposals that the judge was not asked about, or not since `before`. */
interface JudgedProposals {
  readonly workspaceId: WorkspaceId
  readonly judge: string
  /** Null: leaves out proposals that the judge was asked about at any time. */
  readonly before: Date | null
}

const TO_ASK = `
  workspace_id = $1 and state = 'waiting'
  and (judged_by is distinct from $2 or ($3::timestamptz is not null and judged_at < $3))`

/**
 * The text of a claim's first signal, as the step `cluster` compares it; the claim's own texts where its evidence was
 * deleted.
 */
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

interface ProposalToJudge {
  readonly id: ProposalId
  readonly claim: string
  readonly candidate: string
  readonly is_dismissed: boolean
}

/** The oldest proposals, with at most 4,000 characters of each side. */
const readProposals = (
  transaction: Transaction,
  { workspaceId, judge, before }: JudgedProposals,
  most: number,
): Promise<readonly ProposalToJudge[]> => transaction.query<ProposalToJudge>(READ, [workspaceId, judge, before, most])

const COUNT = `select count(*)::int as count from merge_proposals where ${TO_ASK}`

const countProposals = async (
  transaction: Transaction,
  { workspaceId, judge, before }: JudgedProposals,
): Promise<number> => {
  const [row] = await transaction.query<{ count: number }>(COUNT, [workspaceId, judge, before])
  return row?.count ?? 0
}

const NOW = `select now() as now`

/** The database's time, as in `judged_at`: the processors' clocks differ. */
const databaseTime = async (transaction: Transaction): Promise<Date> => {
  const [row] = await transaction.query<{ now: Date }>(NOW)
  if (row === undefined) throw new Error('A statement without a from clause answered no row.')
  return row.now
}

const MARK = `update merge_proposals set judged_by = $2, judged_at = now() where id = $1`

/** Records that the judge was asked, whatever its verdict. */
const markJudged = async (transaction: Transaction, id: ProposalId, judge: string): Promise<void> => {
  await transaction.query(MARK, [id, judge])
}

const JUDGE_CONCURRENCY = 8

const Cursor = Type.Object({
  /** Model of the judge. A new judge is asked about every proposal again. */
  model: Type.String(),
  /** Start of the job, ISO 8601. The job asks about no proposal twice. */
  began: Type.String(),
  worked: Type.Integer(),
})
type Cursor = Static<typeof Cursor>
const readCursor = cursorReader(Cursor)

/** `again`: also asks about proposals on which this judge gave no usable verdict. */
const readInput = cursorReader(Type.Object({ again: Type.Literal(true) }))

interface ReJudgeDependencies {
  readonly database: Database
  readonly judge: Judge | null
}

/**
 * Asks the judge about each waiting merge proposal. A yes merges, a no refuses; without a usable verdict the pair stays
 * for a person.
 */
export const createReJudgeJob = ({ database, judge }: ReJudgeDependencies): JobDefinition => ({
  kind: 're_judge',
  slice: slice => {
    if (judge !== null) return judgePage(database, judge, slice)
    throw new AssayError('invalid_configuration', 'No judge is configured: an operator sets JUDGE_URL and JUDGE_MODEL.')
  },
})

const judgePage = async (database: Database, judge: Judge, slice: JobSlice): Promise<SliceResult> => {
  const { workspaceId } = slice
  const inside = inWorkspace({ database }, workspaceId)
  const { cursor, proposals, total } = await inside(async transaction => {
    const cursor = beginning(readCursor(slice.cursor), judge.model, await databaseTime(transaction))
    const before = readInput(slice.input) === null ? null : new Date(cursor.began)
    const judged = { workspaceId, judge: judge.model, before }
    const proposals = await readProposals(transaction, judged, JUDGE_CONCURRENCY)
    return { cursor, proposals, total: cursor.worked + (await countProposals(transaction, judged)) }
  })
  if (proposals.length === 0) return { cursor: null, done: 0, failed: 0, total }

  let done = 0
  const problems: string[] = []
  for (const { proposal, verdict } of await askJudge(judge, proposals)) {
    const outcome = await settle(inside, workspaceId, judge.model, proposal, verdict)
    if (outcome.kind === 'later') continue
    done += 1
    if (outcome.kind === 'waits') problems.push(outcome.why)
  }
  const message = problems.at(-1)
  return {
    cursor: { ...cursor, worked: cursor.worked + done },
    done,
    failed: problems.length,
    total,
    ...(message === undefined ? {} : { message }),
  }
}

const beginning = (cursor: Cursor | null, model: string, now: Date): Cursor =>
  cursor?.model === model ? cursor : { model, began: now.toISOString(), worked: cursor?.worked ?? 0 }

/** A verdict, or the reason for none. */
type JudgeAnswer = Verdict | { readonly unusable: string; readonly mayPass: boolean }

/**
 * Verdicts of the judge. Proposals without an answer, because the judge is away, are left out. Rejects when none of the
 * page was answered, because the judge is away, too slow or too busy.
 */
const askJudge = async (judge: Judge, proposals: readonly ProposalToJudge[]) => {
  const answers = await Promise.allSettled(
    proposals.map(async proposal => ({ proposal, verdict: await ask(judge, proposal) })),
  )
  const heard = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []))
  const away = answers.find(answer => answer.status === 'rejected')
  if (heard.length === 0 && away !== undefined) throw away.reason
  if (heard.length === JUDGE_CONCURRENCY && heard.every(({ verdict }) => 'unusable' in verdict && verdict.mayPass)) {
    throw new AssayError('unavailable', `The judge ${judge.model} answered none of ${JUDGE_CONCURRENCY} questions.`)
  }
  return heard
}

const ask = async (judge: Judge, { claim, candidate, is_dismissed }: ProposalToJudge): Promise<JudgeAnswer> => {
  if (is_dismissed) return { unusable: 'A claim that is dismissed is left to a person.', mayPass: false }
  try {
    return await judge.judge(claim, candidate)
  } catch (error) {
    if (!isAssayError(error) || error.code === 'unavailable' || error.code === 'rate_limited') throw error
    return { unusable: error.publicMessage, mayPass: error.retriable }
  }
}

type Settled = { readonly kind: 'settled' | 'later' } | { readonly kind: 'waits'; readonly why: string }

/** Applies a verdict and records that the judge was asked, in one transaction, so that a crash undoes both. */
const settle = async (
  inside: InWorkspace,
  workspaceId: WorkspaceId,
  judge: string,
  { id: proposalId }: ProposalToJudge,
  verdict: JudgeAnswer,
): Promise<Settled> => {
  const leave = async (why: string): Promise<Settled> => {
    await inside(transaction => markJudged(transaction, proposalId, judge))
    return { kind: 'waits', why }
  }
  if ('unusable' in verdict) return leave(verdict.unusable)
  try {
    await inside(async transaction => {
      await settleVerdict(transaction, { workspaceId, proposalId, judge, ...verdict, at: new Date() })
      await markJudged(transaction, proposalId, judge)
    })
    return { kind: 'settled' }
  } catch (error) {
    if (isAssayError(error) && error.code === 'busy') return { kind: 'later' }
    if (isAssayError(error) && error.code === 'conflict') return leave(error.publicMessage)
    throw error
  }
}
