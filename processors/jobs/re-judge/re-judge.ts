import { type Static, Type } from 'typebox'
import type { Judge, Verdict } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { settleVerdict } from '../../../model/merges/settle-verdict.ts'
import type { ProposalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { type InWorkspace, inWorkspace } from '../in-workspace.ts'
import { cursorReader, type JobDefinition, type JobSlice, type SliceResult } from '../job-kind.ts'

/**
 * Which proposals a judge is asked about: those that wait and that it was not asked about, or not since a moment that
 * is given.
 */
interface JudgedProposals {
  readonly workspaceId: WorkspaceId
  readonly judge: string
  /** Null: what it was asked about once is left out. */
  readonly before: Date | null
}

const TO_ASK = `
  workspace_id = $1 and state = 'waiting'
  and (judged_by is distinct from $2 or ($3::timestamptz is not null and judged_at < $3))`

/**
 * The text by which a claim came to be, as the step `cluster` compares it; what stands for it where its evidence was
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

/** The oldest of them, with at most 4,000 characters of each side. */
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

/** The time as `judged_at` has it: clocks of several processors differ. */
const databaseTime = async (transaction: Transaction): Promise<Date> => {
  const [row] = await transaction.query<{ now: Date }>(NOW)
  if (row === undefined) throw new Error('A statement without a from clause answered no row.')
  return row.now
}

const MARK = `update merge_proposals set judged_by = $2, judged_at = now() where id = $1`

/** Remembers that the judge was asked, whatever it said. */
const markJudged = async (transaction: Transaction, id: ProposalId, judge: string): Promise<void> => {
  await transaction.query(MARK, [id, judge])
}

const ASKED_AT_ONCE = 8

const Cursor = Type.Object({
  /** Which judge is asked; another one later is asked about everything anew. */
  model: Type.String(),
  /** When the job began, ISO 8601: what it asked about itself is not asked about again. */
  began: Type.String(),
  worked: Type.Integer(),
})
type Cursor = Static<typeof Cursor>
const readCursor = cursorReader(Cursor)

/** `again`: also about what this judge was asked about before, without a verdict of use. */
const readInput = cursorReader(Type.Object({ again: Type.Literal(true) }))

interface ReJudgeDependencies {
  readonly database: Database
  readonly judge: Judge | null
}

/**
 * Asks the judge about each merge proposal that waits: a yes merges, a no refuses, and no usable verdict leaves the
 * pair to a person.
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
    const proposals = await readProposals(transaction, judged, ASKED_AT_ONCE)
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

/** A verdict, or why there is none. */
type JudgeAnswer = Verdict | { readonly unusable: string; readonly mayPass: boolean }

/**
 * What the judge says of each; those that it did not answer because it is away are left out. Rejects when it answered
 * none, also when it was too slow or too busy for each of a whole page.
 */
const askJudge = async (judge: Judge, proposals: readonly ProposalToJudge[]) => {
  const answers = await Promise.allSettled(
    proposals.map(async proposal => ({ proposal, verdict: await ask(judge, proposal) })),
  )
  const heard = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []))
  const away = answers.find(answer => answer.status === 'rejected')
  if (heard.length === 0 && away !== undefined) throw away.reason
  if (heard.length === ASKED_AT_ONCE && heard.every(({ verdict }) => 'unusable' in verdict && verdict.mayPass)) {
    throw new AssayError('unavailable', `The judge ${judge.model} answered none of ${ASKED_AT_ONCE} questions.`)
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

/**
 * Carries a verdict out and remembers that the judge was asked: one transaction, so that a crash leaves both undone.
 */
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
