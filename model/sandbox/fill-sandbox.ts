import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, DecisionId, NodeId, ProposalId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { recordActivity } from '../activity/activity-rows.ts'
import { nodeTexts, storeNodeVectors, vectorsByNode } from '../map/anchor.ts'
import { foundPairs } from '../merges/found-pairs.ts'
import { mergeClaims } from '../merges/merge-claims.ts'
import { composeReview, storeReview } from '../reviews/reviews.ts'
import { storeVectors } from '../signals/store-signals.ts'
import { activityRecords, deadLetterRow } from './story/activity.ts'
import { CLAIMS, claimRows, MERGED, proposalRows, saidInClaims } from './story/claims.ts'
import { DECISIONS, decisionRows } from './story/decisions.ts'
import { type Installed, NODES, portfolioRows, productRows } from './story/product.ts'
import { sampleSignals, signalRows } from './story/signals.ts'
import { SOLUTIONS, solutionRows } from './story/solutions.ts'
import type { Rows, StoryContext } from './story/story.ts'

const SAMPLE_NODES = Object.entries(NODES).map(([name, { description }]) => ({ name, description, examples: [] }))

/** Texts of the sample data that have a vector. */
export const sampleTexts = (): readonly string[] => [
  ...sampleSignals().map(({ text }) => text),
  ...SAMPLE_NODES.flatMap(nodeTexts),
]

interface SampleVectors {
  readonly model: string
  /** Vectors of `sampleTexts`, in order. */
  readonly vectors: readonly Float32Array[]
}

/** Numbers of the sample data. */
export const SAMPLE_COUNTS = {
  signals: sampleSignals().length,
  claims: Object.keys(CLAIMS).length,
  solutions: Object.keys(SOLUTIONS).length,
  decisions: Object.keys(DECISIONS).length,
}

/** Data that is prepared before the transaction. */
interface Prepared {
  readonly embedded: SampleVectors
  /** The encoded signal of the dead letter. */
  readonly deadSignal: Uint8Array
}

/**
 * Inserts the sample data into an empty sandbox, in a transaction of `assay_sandbox`. Its activity reaches ClickHouse
 * through the log.
 */
export const fillSandbox = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  storyContext: StoryContext,
  { embedded, deadSignal, ...installed }: Installed & Prepared,
): Promise<void> => {
  const tables: Rows = [
    ...productRows(storyContext, installed),
    ...signalRows(storyContext),
    ...claimRows(storyContext),
    ...solutionRows(storyContext),
    ...decisionRows(storyContext),
    ...proposalRows(storyContext, await foundPairs(saidInClaims(storyContext), embedded)),
    ...portfolioRows(storyContext),
    ['dead_letters', [deadLetterRow(storyContext, deadSignal)]],
    ['reference_counters', Object.entries(counters()).map(([kind, last_number]) => ({ kind, last_number }))],
  ]
  for (const [table, rows] of tables) await insertRows(transaction, workspaceId, table, rows)
  await storeSampleVectors(transaction, workspaceId, storyContext, embedded)
  await mergeSampleClaims(transaction, storyContext)
  await recordActivity(transaction, activityRecords(storyContext, workspaceId))
  await storeSampleReview(transaction, workspaceId, storyContext)
}

const mergeSampleClaims = async (transaction: Transaction, { id, ago, owner }: StoryContext): Promise<void> => {
  const [merged, survivor] = MERGED
  // The names of the story's ids tell their types.
  await mergeClaims(transaction, {
    merged: id(`claim ${merged}`) as ClaimId,
    survivor: id(`claim ${survivor}`) as ClaimId,
    mergedBy: 'member',
    actor: owner.name,
    reason: DECISIONS.dutch_mails?.statement ?? '',
    proposalId: id(`proposal of ${merged} and ${survivor}`) as ProposalId,
    decisionId: id('decision dutch_mails') as DecisionId,
    at: new Date(ago(DECISIONS.dutch_mails?.days ?? 0)),
  })
}

const HALF_YEAR_DAYS = 182

/** The Review is made from the sample data, as for a member. */
const storeSampleReview = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { ago, owner }: StoryContext,
): Promise<void> => {
  const period = {
    from: new Date(ago(HALF_YEAR_DAYS)),
    to: new Date(ago(0)),
    previous_from: new Date(ago(2 * HALF_YEAR_DAYS)),
    timeZone: 'UTC',
  }
  const made = { title: 'The last six months', by: owner.name, at: period.to }
  await storeReview(transaction, workspaceId, await composeReview(transaction, period, made))
}

const counters = () => ({
  signal: SAMPLE_COUNTS.signals,
  claim: SAMPLE_COUNTS.claims,
  solution: SAMPLE_COUNTS.solutions,
  decision: SAMPLE_COUNTS.decisions,
})

/** One statement for each table and the columns that its rows name. The names are the story's own. */
const insertRows = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  table: string,
  rows: Rows[number][1],
): Promise<void> => {
  const withWorkspace = rows.map(row => ({ workspace_id: workspaceId, ...row }))
  const columns = Object.keys(withWorkspace[0] ?? {}).join(', ')
  const statement = `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`
  await transaction.query(statement, [JSON.stringify(withWorkspace)])
}

const storeSampleVectors = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { id }: StoryContext,
  { model, vectors }: SampleVectors,
): Promise<void> => {
  const signals = sampleSignals()
  const stored = signals.flatMap(({ name }, index) => {
    const vector = vectors[index]
    // The names of the story's ids tell their types.
    return vector === undefined ? [] : [{ signalId: id(`signal ${name}`) as SignalId, workspaceId, model, vector }]
  })
  await storeVectors(transaction, stored)
  const ofNodes = vectorsByNode(SAMPLE_NODES, vectors.slice(signals.length))
  for (const [place, { name }] of SAMPLE_NODES.entries())
    await storeNodeVectors(transaction, workspaceId, id(`node ${name}`) as NodeId, model, ofNodes[place] ?? [])
}
