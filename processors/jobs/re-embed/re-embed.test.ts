import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Embedder } from '../../../infra/models/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { nodeTexts, storeNodeVectors } from '../../../model/map/anchor.ts'
import { type NodeId, newId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { embedder } from '../../steps/testing.ts'
import { addManySignals, addSignals, newWorkspace, runJob, runJobThroughCrash } from '../testing.ts'
import { createReEmbedJob } from './re-embed.ts'

let db: TestDatabase
let workspace: WorkspaceId
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
beforeEach(async () => {
  workspace = await newWorkspace(db)
})

const MODEL = 'another-model'

/** The built-in vectors under another name, told of what it is asked. */
const renamed = (known: { model?: string; refuse?: (text: string) => AssayError | undefined } = {}) => {
  const asked: string[] = []
  const model: Embedder = {
    model: known.model ?? MODEL,
    limitation: null,
    embed: async texts => {
      asked.push(...texts)
      const refused = texts.map(text => known.refuse?.(text)).find(error => error !== undefined)
      if (refused !== undefined) throw refused
      return embedder.embed(texts)
    },
  }
  return { model, asked }
}

const job = (model: Embedder = renamed().model) => createReEmbedJob({ database: db.database, embedder: model })

const vectors = async (id: WorkspaceId): Promise<string[]> => {
  const { rows } = await db.pool.query(
    `select number || ' ' || model as vector from signal_vectors join signals on signals.id = signal_id
     where signals.workspace_id = $1 order by number, model`,
    [id],
  )
  return rows.map(row => row.vector)
}

const addNode = async (id: WorkspaceId, examples: readonly string[] = []): Promise<NodeId> => {
  const node = newId<NodeId>()
  const texts = nodeTexts({ name: `Node ${node}`, description: '', examples })
  await db.pool.query('insert into map_nodes (id, workspace_id, name, examples) values ($1, $2, $3, $4)', [
    node,
    id,
    `Node ${node}`,
    examples,
  ])
  const embedded = await embedder.embed(texts)
  await db.database.transaction({ role: 'assay_app', workspaceId: id }, transaction =>
    storeNodeVectors(transaction, id, node, embedder.model, embedded),
  )
  return node
}

const nodeModels = async (node: NodeId): Promise<string[]> => {
  const { rows } = await db.pool.query('select model from map_node_vectors where node_id = $1 order by ordinal', [node])
  return rows.map(row => row.model)
}

const runningJobs = async (): Promise<string[]> => {
  const { rows } = await db.pool.query(`select kind from jobs where workspace_id = $1 and state = 'running'`, [
    workspace,
  ])
  return rows.map(row => row.kind)
}

describe('re_embed', () => {
  it('gives every signal and node text a vector of the embedder’s model, and leaves none of another', async () => {
    await addSignals(db, workspace, ['The export fails'], ['Please add a dark mode'], ['Login codes never arrive'])
    const node = await addNode(workspace, ['The CSV is broken.', 'No export'])
    const outcome = await runJob(job(), workspace)
    assert.deepEqual(await vectors(workspace), [`1 ${MODEL}`, `2 ${MODEL}`, `3 ${MODEL}`])
    assert.deepEqual(await nodeModels(node), [MODEL, MODEL, MODEL, MODEL])
    assert.partialDeepStrictEqual(outcome, { done: 4, failed: 0, total: 4, messages: [] })
    const { rows } = await db.pool.query(
      `select place, embedding::text as vector from signal_vectors where workspace_id = $1 order by place`,
      [workspace],
    )
    const [expected] = await embedder.embed(['The export fails'])
    assert.deepEqual(
      rows.map(row => row.place),
      [1, 2, 3],
    )
    assert.deepEqual(Float32Array.from(JSON.parse(rows[0].vector)), expected)
  })

  it('asks for nothing that has its vector, and has the signals anchored again only after a change', async () => {
    await addSignals(db, workspace, ['The export fails'])
    await addNode(workspace)
    const { model, asked } = renamed({ model: embedder.model })
    assert.partialDeepStrictEqual(await runJob(job(model), workspace), { done: 2, failed: 0, total: 2 })
    assert.deepEqual(asked, [])
    assert.deepEqual(await runningJobs(), [])
    await runJob(job(), workspace)
    assert.deepEqual(await runningJobs(), ['re_anchor'])
  })

  it('goes on after a crash between two slices, with nothing doubled or left out', async () => {
    await addManySignals(db, workspace, 450)
    const { first, rest } = await runJobThroughCrash(
      job,
      workspace,
      cursor => (cursor as { after_number: number }).after_number > 0,
    )
    assert.equal((await vectors(workspace)).length, 450)
    assert.deepEqual([first.done + rest.done, rest.total], [450, 450])
  })

  it('reads 6,000 texts in pages, none of them longer than it says', async () => {
    await addManySignals(db, workspace, 6_000)
    await db.pool.query(`update signals set text = repeat('long ', 10000) where workspace_id = $1 and number <= 6`, [
      workspace,
    ])
    const calls: number[] = []
    const counting: Embedder = {
      model: MODEL,
      limitation: null,
      embed: async texts => {
        calls.push(texts.reduce((sum, text) => sum + text.length, 0))
        return texts.map((_, index) => Float32Array.from({ length: 1024 }, (_value, at) => (at === index ? 1 : 0)))
      },
    }
    const outcome = await runJob(job(counting), workspace)
    assert.partialDeepStrictEqual(outcome, { done: 6_000, total: 6_000 })
    assert.ok(calls.length > 30, `${calls.length} pages`)
    assert.ok(Math.max(...calls) <= 200_000)
    assert.equal((await vectors(workspace)).length, 6_000)
  })

  it('counts signals that arrive meanwhile in, and leaves alone what arrives after its end', async () => {
    await addSignals(db, workspace, ['The export fails'], ['Please add a dark mode'])
    let arrived = false
    const outcome = await runJob(job(), workspace, {
      after: async (_cursor, { done }) => {
        if (done > 0 && !arrived) {
          arrived = true
          await addSignals(db, workspace, ['Login codes never arrive'])
        }
        return false
      },
    })
    assert.partialDeepStrictEqual(outcome, { done: 3, total: 3 })
    assert.deepEqual(await vectors(workspace), [`1 ${MODEL}`, `2 ${MODEL}`, `3 ${MODEL}`])
    // An older processor adds one while the vectors of its model go: it is found again by its model.
    await runJob(job(renamed({ model: 'third' }).model), workspace, {
      after: async cursor => {
        if ((cursor as { part: string } | null)?.part === 'other_models')
          await addSignals(db, workspace, ['Too late', { model: 'older' }])
        return false
      },
    })
    assert.deepEqual(await vectors(workspace), ['1 third', '2 third', '3 third', '4 older'])
  })

  it('that stops in the middle leaves the vectors of the other model where they are', async () => {
    await addSignals(db, workspace, ['The export fails'], ['Please add a dark mode'])
    await runJob(job(), workspace, { after: (_cursor, { done }) => done > 0 })
    assert.deepEqual(await vectors(workspace), [
      `1 ${MODEL}`,
      `1 ${embedder.model}`,
      `2 ${MODEL}`,
      `2 ${embedder.model}`,
    ])
  })

  it('begins anew when the processors come back with another model', async () => {
    await addSignals(db, workspace, ['The export fails'], ['Please add a dark mode'])
    let stopped: unknown
    const first = await runJob(job(), workspace, {
      after: (cursor, { done }) => {
        stopped = cursor
        return done > 0
      },
    })
    const rest = await runJob(job(renamed({ model: 'third' }).model), workspace, { from: stopped })
    assert.deepEqual(await vectors(workspace), ['1 third', '2 third'])
    assert.deepEqual([first.done + rest.done, rest.total], [4, 4])
  })

  it('passes over a text that cannot be embedded, says why, and compares nothing with it any more', async () => {
    await addSignals(db, workspace, ['The export fails'], ['unspeakable'], ['Please add a dark mode'])
    const node = await addNode(workspace, ['unspeakable'])
    const { model } = renamed({
      refuse: text => (text === 'unspeakable' ? new AssayError('internal', 'No words for it.') : undefined),
    })
    const outcome = await runJob(job(model), workspace)
    assert.partialDeepStrictEqual(outcome, { done: 4, failed: 2, total: 4 })
    assert.deepEqual(new Set(outcome.messages), new Set(['No words for it.']))
    assert.deepEqual(await vectors(workspace), [`1 ${MODEL}`, `3 ${MODEL}`])
    assert.deepEqual(await nodeModels(node), [])
  })

  it('waits for a model that is away, with nothing written', async () => {
    await addSignals(db, workspace, ['The export fails'])
    const away = new AssayError('unavailable', 'Away.')
    await assert.rejects(runJob(job(renamed({ refuse: () => away }).model), workspace), away)
    assert.deepEqual(await vectors(workspace), [`1 ${embedder.model}`])
  })

  it('stores no vector of a text or node that was changed while the model thought', async () => {
    await addSignals(db, workspace, ['The export fails'])
    const node = await addNode(workspace)
    const changing: Embedder = {
      ...renamed().model,
      embed: async texts => {
        await db.pool.query('update signals set text_hash = uuid_send(gen_random_uuid()) where workspace_id = $1', [
          workspace,
        ])
        await db.pool.query(`update map_nodes set version = version + 1 where id = $1`, [node])
        return embedder.embed(texts)
      },
    }
    await runJob(job(changing), workspace, { after: (_cursor, { done }) => done > 0 })
    assert.deepEqual(await nodeModels(node), [embedder.model, embedder.model])
    await runJob(job(changing), workspace)
    assert.deepEqual(await vectors(workspace), [])
  })

  it('does not touch another workspace', async () => {
    const other = await newWorkspace(db)
    await addSignals(db, other, ['The export fails'])
    const node = await addNode(other)
    await addSignals(db, workspace, ['The export fails'])
    await runJob(job(), workspace)
    assert.deepEqual(await vectors(other), [`1 ${embedder.model}`])
    assert.deepEqual(await nodeModels(node), [embedder.model, embedder.model])
  })
})
