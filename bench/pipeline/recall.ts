import { createBuiltInEmbedder } from '../../infra/models/built-in-embedder.ts'
import { createDatabase } from '../../infra/postgres/database.ts'
import { plantVectors } from '../../infra/vector-index/testing.ts'
import { fromVector } from '../../infra/vectors.ts'
import { findNearDuplicates } from '../../model/duplicates/near-duplicates.ts'
import { createNeighbours } from '../../model/neighbours/neighbours.ts'
import { newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { createBenchPool, fillUp, prepareMix } from '../support/stored-rows.ts'
import { startEngines } from './subject.ts'

const ROWS = 100_000
const PROBES = 1000
const BATCH = 100
const NEAREST_COSINE = 0.88
const FARTHEST_ABOVE = 0.05

interface Stored {
  readonly signal_id: SignalId
  readonly workspace_id: WorkspaceId
  readonly embedding: string
  readonly text: string
}

/**
 * How many planted neighbours above a cosine of 0.88 dedup finds, among 100,000 rows of one workspace and of 1,000 in
 * one table.
 */
export const recall = async (): Promise<void> => {
  const subject = await startEngines()
  const pool = createBenchPool(subject.databaseUrl, 3_600_000, 2)
  const database = createDatabase(pool)
  const { model } = createBuiltInEmbedder()
  try {
    await prepareMix(pool)
    const shapes = [await subject.createWorkspaces(1), await subject.createWorkspaces(1000)]
    for (const workspaceIds of shapes) await fillUp(pool, workspaceIds, 0, { from: 0, upTo: ROWS })
    for (const workspaceIds of shapes) {
      const neighbours = createNeighbours({ maxBytes: 1024 ** 3 })
      const { rows } = await pool.query<Stored>(
        `select signal_id, workspace_id, embedding::text as embedding, text
         from signal_vectors join signals using (workspace_id) where signals.id = signal_id
           and workspace_id = any ($1::uuid[]) order by hashtext(signal_id::text) limit $2`,
        [workspaceIds, PROBES],
      )
      const { at } = plantVectors(1)
      let found = 0
      let searchMs = 0
      const readFrom = performance.now()
      await neighbours.warm(
        database,
        rows.map(row => ({ workspaceId: row.workspace_id, model })),
      )
      const readSeconds = (performance.now() - readFrom) / 1000
      for (let begin = 0; begin < rows.length; begin += BATCH) {
        const part = rows.slice(begin, begin + BATCH)
        const probes = part.map((row, index) => ({
          id: newId<SignalId>(),
          workspaceId: row.workspace_id,
          channel: 'webhook' as const,
          model,
          text: row.text,
          vector: at(NEAREST_COSINE + (FARTHEST_ABOVE * index) / BATCH, fromVector(row.embedding)),
        }))
        const startedAt = performance.now()
        const near = await database.transaction(
          { role: 'assay_pipeline', workspaceIds: [...new Set(part.map(row => row.workspace_id))] },
          transaction => findNearDuplicates(transaction, neighbours, probes),
        )
        searchMs += performance.now() - startedAt
        found += near.filter((one, index) => one?.signalId === part[index]?.signal_id).length
      }
      console.log(
        `${ROWS} rows in ${workspaceIds.length} workspaces: ${found} of ${rows.length} planted neighbours found (${((found * 100) / rows.length).toFixed(1)} %), ${(searchMs / rows.length).toFixed(2)} ms each; read into memory in ${readSeconds.toFixed(1)} s`,
      )
    }
  } finally {
    await pool.end()
    await subject.remove()
  }
}
