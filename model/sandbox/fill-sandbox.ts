import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, DecisionId, NodeId, ProposalId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { recordActivity } from '../activity/activity-rows.ts'
import { nodeTexts, storeNodeVectors } from '../map/anchor.ts'
import { mergeClaims } from '../merges/merge-claims.ts'
import { composeReview, storeReview } from '../reviews/reviews.ts'
import { storeVectors } from '../signals/store-signals.ts'
import { foundPairs } from './found-pairs.ts'
import { activityRecords, deadLetterRow } from './story/activity.ts'
import { CLAIMS, claimRows, MERGED, proposalRows, saidInClaims } from './story/claims.ts'
import { DECISIONS, decisionRows } from './story/decisions.ts'
import { type Installed, NODES, portfolioRows, productRows } from './story/product.ts'
import { sampleSignals, signalRows } from './story/signals.ts'
import { SOLUTIONS, solutionRows } from './story/solutions.ts'
import type { Rows, StoryContext } from './story/story.ts'

/** The texts of the sample data that have a vector. */
export const sampleTexts = (): readonly string[] => [
  ...sampleSignals().map(({ text }) => text),
  ...Object.entries(NODES).flatMap(([name, { description }]) => nodeTexts({ name, description, examples: [] })),
]

interface SampleVectors {
  readonly model: string
  /** Of `sampleTexts`, in their order. */
  readonly vectors: readonly Float32Array[]
}

/** How much of each the sample data has. */
export const SAMPLE_COUNTS = {
  signals: sampleSignals().length,
  claims: Object.keys(CLAIMS).length,
  solutions: Object.keys(SOLUTIONS).length,
  decisions: Object.keys(DECISIONS).length,
}

/** What was made for the sample data before the transaction. */
interface Prepared {
  readonly embedded: SampleVectors
  /** The signal that died, encoded. */
  readonly deadSignal: Uint8Array
}

/**
 * Puts the sample data into an empty sandbox, in a transaction of `assay_sandbox`; its activity reaches the analytics
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
    ...proposalRows(storyContext, foundPairs(saidInClaims(storyContext), embedded)),
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
  // The story's ids say by their names what they identify.
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

/** The Review is made of the sample data themselves, as one that a member asks for. */
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

/** One statement a table, of the columns that its rows name; the names are the story’s own. */
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
    // The story’s ids say by their names what they identify.
    return vector === undefined ? [] : [{ signalId: id(`signal ${name}`) as SignalId, workspaceId, model, vector }]
  })
  await storeVectors(transaction, stored)
  for (const [index, name] of Object.keys(NODES).entries()) {
    const vector = vectors[signals.length + index]
    if (vector !== undefined)
      await storeNodeVectors(transaction, workspaceId, id(`node ${name}`) as NodeId, model, [vector])
  }
}
