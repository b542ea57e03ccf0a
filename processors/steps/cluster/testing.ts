import assert from 'node:assert/strict'
import type { Judge, Verdict } from '../../../infra/models/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { insertSignals } from '../../../model/signals/store-signals.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { embedder, type Finished, type FinishedFields, finished, freshNeighbours, freshWords } from '../testing.ts'
import { createCluster } from './cluster.ts'

/** Helpers of the step's tests: stored signals, a scripted judge, and the resulting claims. */

export const EXPORT = 'The invoice export fails with a timeout'
export const EXPORT_AGAIN = 'Exporting invoices ends in a timeout, the export fails every time'
export const LOGIN = 'Login codes never reach my mailbox'

export const judging = (answer: (signal: string, candidate: string) => Verdict | AssayError | Promise<Verdict>) => {
  const asked: string[] = []
  const judge: Judge = {
    model: 'test-judge',
    judge: async (signal, candidate) => {
      asked.push(candidate)
      const verdict = await answer(signal, candidate)
      if (verdict instanceof AssayError) throw verdict
      return verdict
    },
  }
  return { judge, asked }
}
export const yes = () => ({ sameRootProblem: true, reason: 'Both tell of it.' })
export const no = () => ({ sameRootProblem: false, reason: 'Different roots.' })

export type StoredSignal = Finished & { readonly insertion: { readonly number: number } }
type Written = readonly [text: string, finish?: FinishedFields]

export interface ClusterKit {
  readonly db: TestDatabase
  workspace(): Promise<WorkspaceId>
  /** Stores signals as insert does. */
  stored<const Rows extends readonly Written[]>(
    workspaceId: WorkspaceId,
    ...rows: Rows
  ): Promise<{ readonly [Row in keyof Rows]: StoredSignal }>
  /** Runs the step over a batch. */
  cluster(batch: readonly StoredSignal[], judge?: Judge | null): ReturnType<ReturnType<typeof createCluster>['run']>
  claims(id: WorkspaceId): Promise<Row[]>
  evidence(id: WorkspaceId): Promise<Row[]>
  proposals(id: WorkspaceId): Promise<Row[]>
  stop(): Promise<void>
}

/** A row of a test's query. The test knows its columns. */
type Row = ReturnType<typeof JSON.parse>

export const startClusterKit = async (): Promise<ClusterKit> => {
  const db = await startTestDatabase()
  const read = async (statement: string, id: WorkspaceId): Promise<Row[]> => (await db.pool.query(statement, [id])).rows
  return {
    db,
    workspace: async () => {
      const [id] = await db.workspaces(1)
      assert.ok(id)
      return id
    },
    stored: async (workspaceId, ...rows) => {
      const [{ n }] = await read('select count(*)::int as n from signals where workspace_id = $1', workspaceId)
      const signals: StoredSignal[] = []
      for (const [text, finish] of rows) {
        signals.push({ ...(await finished(workspaceId, text, finish)), insertion: { number: n + signals.length + 1 } })
      }
      await db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
        insertSignals(
          transaction,
          signals.map(signal => ({ signal, number: signal.insertion.number })),
        ),
      )
      // Each row made one signal, which the compiler cannot see.
      return signals as unknown as { readonly [Row in keyof typeof rows]: StoredSignal }
    },
    cluster: (batch, judge = null) =>
      createCluster({ database: db.database, embedder, neighbours: freshNeighbours(), words: freshWords(), judge }).run(
        batch,
      ),
    claims: id => read('select id, number, kind, title, state from claims where workspace_id = $1 order by number', id),
    evidence: id =>
      read(
        `select claim_id, signal_id, attached_by, actor, reason, origins, lost_candidates from claim_evidence
         where workspace_id = $1 order by (select number from signals where id = signal_id)`,
        id,
      ),
    proposals: id =>
      read(
        `select claim_id, candidate_claim_id, state, decided_by from merge_proposals
         where workspace_id = $1 order by reason`,
        id,
      ),
    stop: () => db.stop(),
  }
}
