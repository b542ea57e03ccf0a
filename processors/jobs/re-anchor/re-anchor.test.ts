import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { shippedCalibration } from '../../../infra/models/calibration.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { toVector } from '../../../infra/vectors.ts'
import { startJob } from '../../../model/jobs/start-job.ts'
import { moveToNodes, storeNodeVectors, takeLessonBack } from '../../../model/map/anchor.ts'
import { ATTACH_AT } from '../../../model/map/fit.ts'
import { changeMap } from '../../../model/map/nodes.ts'
import { proposedPlaces } from '../../../model/map/proposed-places.ts'
import { type NodeId, newId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
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

/** Every tenth signal is near to `vectorAt(1)`, the others speak of nine other things. */
const isNear = (number: number): boolean => number % 10 === 0

const giveVectors = async (): Promise<void> => {
  const { rows } = await db.pool.query('select id, number from signals where workspace_id = $1', [workspace])
  const vectors = rows.map(({ number }) =>
    toVector(isNear(number) ? vectorAt(0.9) : vectorAt((number % 5) / 50, 2 + (number % 9))),
  )
  await db.pool.query(
    `insert into signal_vectors (signal_id, workspace_id, model, place, embedding)
     select id, $1, $2, row_number() over (), embedding::vector
     from unnest($3::uuid[], $4::text[]) as given (id, embedding)`,
    [workspace, embedder.model, rows.map(({ id }) => id), vectors],
  )
}

/** The nodes of the signals that are near, each once. */
const nodesOfNear = async (): Promise<ReadonlySet<string | null>> =>
  new Set((await anchors(workspace)).filter((_, place) => isNear(place + 1)))

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
    await addSignals(db, workspace, ['a', at(0.3734)], ['b', at(0.3733)], ['c', at(0.95)])
    const node = await addNode(workspace, vectorAt(1))
    const outcome = await runJob(job(), workspace)
    assert.partialDeepStrictEqual(outcome, { done: 3, failed: 0, total: 3, messages: [] })
    assert.deepEqual(await anchors(workspace), [node, null, node])
    const { rows } = await db.pool.query('select node_score from signals where workspace_id = $1 order by number', [
      workspace,
    ])
    assert.deepEqual(
      rows.map(row => row.node_score.toFixed(4)),
      ['0.8000', '0.7998', '0.9248'],
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

  it('leaves signals at the node that somebody moved them to, and has those near to them follow', async () => {
    const fitting = ['a', 'b', 'c'].map(text => [text, at(0.95)] as const)
    const added = await addSignals(db, workspace, ...fitting, ['d', at(0.9)], ['e', at(-0.9)])
    const moved = added.slice(0, fitting.length)
    const nearest = await addNode(workspace, vectorAt(1))
    const taught = await addNode(workspace, vectorAt(0, 3))
    const signals = { role: 'assay_app', workspaceId: workspace } as const
    const moves = moved.map(signal => ({ signal, node: taught }))
    await db.database.transaction(signals, transaction =>
      moveToNodes(transaction, moves, { by: 'Ada', at: new Date() }),
    )
    await runJob(job(), workspace)
    // 'd' is at 0.94 to where the node is with the three, and at 0.90 to the other one.
    assert.deepEqual(await anchors(workspace), [taught, taught, taught, taught, null])
    const { rows } = await db.pool.query('select node_score from signals where id = any ($1::uuid[])', [moved])
    assert.deepEqual(new Set(rows.map(({ node_score }) => node_score)), new Set([1]))
    for (const signal of moved)
      await db.database.transaction(signals, transaction => takeLessonBack(transaction, signal))
    await runJob(job(), workspace)
    assert.deepEqual(await anchors(workspace), [nearest, nearest, nearest, nearest, null])
  })

  /** Of a product that all write much the same of, every tenth says something else, too. */
  const alike = (number: number) =>
    Float32Array.from({ length: 1024 }, (_, place) => {
      if (place === 0) return 0.8
      return place === (isNear(number) ? 1 : 2 + (number % 9)) ? 0.6 : 0
    })
  const nodesWith = async (signals: number): Promise<number> => {
    const texts = Array.from({ length: signals }, (_, at) => [`Text ${at}`, { vector: alike(at + 1) }] as const)
    await addSignals(db, workspace, ...texts)
    await addNode(workspace, alike(10))
    await runJob(job(), workspace)
    return (await anchors(workspace)).filter(node => node !== null).length
  }

  it('anchors what is nearer to a node than any signal of the workspace is, once there are fifty', async () => {
    assert.equal(await nodesWith(60), 6)
    const { rows } = await db.pool.query(
      'select measured_number, model, vector_dims(mean) as size from map_revisions where workspace_id = $1',
      [workspace],
    )
    assert.deepEqual(rows, [{ measured_number: 60, model: embedder.model, size: 1024 }])
  })

  it('leaves what surely fits a node as its likely place until the next time, and names none for what does not', async () => {
    await nodesWith(60)
    const { rows } = await db.pool.query<{ id: SignalId }>(
      'update signals set node_id = null, node_score = null where workspace_id = $1 and node_id is not null returning id',
      [workspace],
    )
    const [greeting] = rows
    await db.pool.query(
      `update signals set classification = 'unclassified', classification_confidence = 0.95 where id = $1`,
      [greeting?.id],
    )
    const space = { workspaceId: workspace, model: embedder.model }
    const calibration = shippedCalibration(embedder.model) ?? assert.fail()
    const { unplaced, places } = await db.database.transaction(
      { role: 'assay_app', workspaceId: workspace },
      transaction => proposedPlaces(transaction, space, calibration),
    )
    assert.deepEqual([unplaced, places.length], [59, 5])
    assert.ok(places.every(({ is_clear, score }) => is_clear && score >= ATTACH_AT))
    assert.ok(places.every(({ signal_id }) => signal_id !== greeting?.id))
  })

  it('measures nothing by fewer signals: they are anchored by the cosine', async () => {
    assert.equal(await nodesWith(40), 40)
    const { rows } = await db.pool.query(
      'select mean, middle from map_revisions join map_nodes using (workspace_id) where workspace_id = $1',
      [workspace],
    )
    assert.deepEqual(rows, [{ mean: null, middle: null }])
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
    assert.deepEqual(await nodesOfNear(), new Set([node]))
  })

  it('begins anew when the map changes meanwhile, and one job is enough for it', async () => {
    await addManySignals(db, workspace, 300)
    await giveVectors()
    await addNode(workspace, vectorAt(-0.9, 5))
    let nearer: NodeId | null = null
    const outcome = await runJob(job(), workspace, {
      after: async () => {
        nearer ??= await addNode(workspace, vectorAt(1))
        return false
      },
    })
    assert.deepEqual(await nodesOfNear(), new Set([nearer]))
    // Each signal counts once, though 200 of them were looked at twice.
    assert.partialDeepStrictEqual(outcome, { done: 300, failed: 0, total: 300 })
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
