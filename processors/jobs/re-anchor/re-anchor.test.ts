import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { toVector } from '../../../infra/vectors.ts'
import { startJob } from '../../../model/jobs/start-job.ts'
import { moveToNode, storeNodeVectors, takeLessonBack } from '../../../model/map/anchor.ts'
import { changeMap } from '../../../model/map/nodes.ts'
import { type NodeId, newId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { embedder, vectorAt } from '../../steps/testing.ts'
import { addManySignals, addSignals, newWorkspace, runJob, runJobThroughCrash } from '../testing.ts'
import { createReAnchorJob } from './re-anchor.ts'

let db: TestDatabase
let workspace: WorkspaceId
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
beforeEach(async () => {
  workspace = await newWorkspace(db)
})

const job = (settleMs = 0) => createReAnchorJob({ database: db.database, embedder, settleMs })

/** Gives every signal the same vector. */
const giveVectors = () =>
  db.pool.query(
    `insert into signal_vectors (signal_id, workspace_id, model, place, embedding)
     select id, workspace_id, $2, number, $3 from signals where workspace_id = $1`,
    [workspace, embedder.model, toVector(vectorAt(0.9))],
  )

/** Changes the map as its operations do. */
const addNode = async (id: WorkspaceId, vector: Float32Array, model = embedder.model): Promise<NodeId> => {
  const node = newId<NodeId>()
  await db.database.transaction({ role: 'assay_app', workspaceId: id }, async transaction => {
    await changeMap(transaction, id, 'Somebody')
    await transaction.query('insert into map_nodes (id, workspace_id, name) values ($1, $2, $3)', [
      node,
      id,
      `Node ${node}`,
    ])
    await storeNodeVectors(transaction, id, node, model, [vector])
  })
  return node
}

const anchors = async (id: WorkspaceId): Promise<(string | null)[]> => {
  const { rows } = await db.pool.query('select node_id from signals where workspace_id = $1 order by number', [id])
  return rows.map(row => row.node_id)
}

const jobs = async (): Promise<{ kind: string; state: string }[]> => {
  const { rows } = await db.pool.query('select kind, state from jobs where workspace_id = $1', [workspace])
  return rows
}

const at = (cosine: number) => ({ vector: vectorAt(cosine) })

describe('re_anchor', () => {
  it('attaches each signal at 0.80 on the scale to the nearest node, and keeps the score of the others', async () => {
    await addSignals(db, workspace, ['a', at(0.4201)], ['b', at(0.4199)], ['c', at(0.95)])
    const node = await addNode(workspace, vectorAt(1))
    const outcome = await runJob(job(), workspace)
    assert.partialDeepStrictEqual(outcome, { done: 3, failed: 0, total: 3, messages: [] })
    assert.deepEqual(await anchors(workspace), [node, null, node])
    const { rows } = await db.pool.query('select node_score from signals where workspace_id = $1 order by number', [
      workspace,
    ])
    assert.deepEqual(
      rows.map(row => row.node_score.toFixed(4)),
      ['0.8000', '0.7998', '0.9857'],
    )
  })

  it('leaves a signal where it is unless another node fits, and fits clearly better', async () => {
    // Placed by a map that was another then, far below where signals are attached.
    const [far, near, , left] = await addSignals(
      db,
      workspace,
      ['far', { vector: vectorAt(0.3, 2) }],
      ['near', at(0.9)],
      ['free', at(0.9)],
      ['left', { vector: vectorAt(0.3, 2) }],
    )
    const [own, other] = [await addNode(workspace, vectorAt(0, 3)), await addNode(workspace, vectorAt(0.3, 2))]
    await db.pool.query('update signals set node_id = $2 where id = any ($1::uuid[])', [[far, near, left], own])
    await db.pool.query('update signals set node_id = $2 where id = $1', [left, other])
    await runJob(job(), workspace)
    assert.deepEqual(await anchors(workspace), [other, own, null, other])
    const fits = await addNode(workspace, vectorAt(1))
    await runJob(job(), workspace)
    assert.deepEqual(await anchors(workspace), [other, fits, fits, other])
    // As near as the node that they are at.
    await addNode(workspace, vectorAt(0.999))
    await runJob(job(), workspace)
    assert.deepEqual(await anchors(workspace), [other, fits, fits, other])
  })

  it('leaves a signal at the node that somebody moved it to, and has those near to it follow', async () => {
    const [moved] = await addSignals(db, workspace, ['a', at(0.95)], ['b', at(0.9)], ['c', at(-0.9)])
    assert.ok(moved)
    const nearest = await addNode(workspace, vectorAt(1))
    const taught = await addNode(workspace, vectorAt(0, 3))
    const signals = { role: 'assay_app', workspaceId: workspace } as const
    await db.database.transaction(signals, transaction =>
      moveToNode(transaction, moved, taught, { by: 'Ada', at: new Date() }),
    )
    await runJob(job(), workspace)
    // 'b' is at 0.99 to 'a', and at 0.90 to the other node.
    assert.deepEqual(await anchors(workspace), [taught, taught, null])
    await db.database.transaction(signals, transaction => takeLessonBack(transaction, moved))
    await runJob(job(), workspace)
    assert.deepEqual(await anchors(workspace), [nearest, nearest, null])
  })

  it('releases what no node is near to any more, and forgets its score with the last node', async () => {
    await addSignals(db, workspace, ['a', at(0.9)])
    const node = await addNode(workspace, vectorAt(1))
    await runJob(job(), workspace)
    assert.deepEqual(await anchors(workspace), [node])
    await db.pool.query('delete from map_nodes where id = $1', [node])
    await runJob(job(), workspace)
    const { rows } = await db.pool.query('select node_id, node_score from signals where workspace_id = $1', [workspace])
    assert.deepEqual(rows, [{ node_id: null, node_score: null }])
  })

  it('goes on after a crash between two slices, with every signal looked at', async () => {
    await addManySignals(db, workspace, 450)
    await giveVectors()
    const node = await addNode(workspace, vectorAt(1))
    const { first, rest } = await runJobThroughCrash(job, workspace)
    assert.deepEqual([first.done + rest.done, rest.total], [450, 450])
    assert.deepEqual(new Set(await anchors(workspace)), new Set([node]))
  })

  it('begins anew when the map changes meanwhile, and one job is enough for it', async () => {
    await addManySignals(db, workspace, 300)
    await giveVectors()
    await addNode(workspace, vectorAt(0.1, 5))
    let nearer: NodeId | null = null
    const outcome = await runJob(job(), workspace, {
      after: async () => {
        nearer ??= await addNode(workspace, vectorAt(1))
        return false
      },
    })
    assert.deepEqual(new Set(await anchors(workspace)), new Set([nearer]))
    assert.partialDeepStrictEqual(outcome, { done: 500, total: 500 })
    assert.deepEqual(await jobs(), [{ kind: 're_anchor', state: 'running' }])
  })

  it('waits at its end for signals that met the map as it was before', async () => {
    await addSignals(db, workspace, ['a', at(0.9)])
    const node = await addNode(workspace, vectorAt(1))
    const pauses: number[] = []
    const outcome = await runJob(job(60_000), workspace, {
      after: async (_cursor, { pauseMs }) => {
        if (pauseMs === undefined) return false
        pauses.push(pauseMs)
        await addSignals(db, workspace, ['late', at(0.9)])
        return false
      },
    })
    assert.deepEqual(pauses, [60_000])
    assert.partialDeepStrictEqual(outcome, { done: 2, total: 2 })
    assert.deepEqual(await anchors(workspace), [node, node])
  })

  it('compares no vectors of two models: a signal without one of the embedder’s stays where it is', async () => {
    const node = await addNode(workspace, vectorAt(1), 'another-model')
    await addSignals(db, workspace, ['a', { ...at(1), model: 'another-model' }])
    await db.pool.query('update signals set node_id = $2 where workspace_id = $1', [workspace, node])
    const outcome = await runJob(job(), workspace)
    assert.partialDeepStrictEqual(outcome, { done: 1, failed: 1 })
    assert.match(outcome.messages[0] ?? '', /without a vector/)
    assert.deepEqual(await anchors(workspace), [node])
  })

  it('waits while the workspace is being embedded again', async () => {
    await addSignals(db, workspace, ['a', at(0.9)])
    await db.database.transaction({ role: 'assay_app', workspaceId: workspace }, transaction =>
      startJob(transaction, {
        workspaceId: workspace,
        kind: 're_embed',
        input: {},
        total: null,
        startedBy: 'Somebody',
      }),
    )
    await assert.rejects(runJob(job(), workspace), { code: 'busy', retriable: true })
    await db.pool.query(`update jobs set state = 'done' where workspace_id = $1`, [workspace])
    assert.equal((await runJob(job(), workspace)).done, 1)
  })

  it('does not touch another workspace', async () => {
    const other = await newWorkspace(db)
    await addNode(other, vectorAt(1))
    await addSignals(db, other, ['a', at(1)])
    await addNode(workspace, vectorAt(1))
    await addSignals(db, workspace, ['a', at(1)])
    await runJob(job(), workspace)
    assert.deepEqual(await anchors(other), [null])
    assert.notDeepEqual(await anchors(workspace), [null])
  })
})
