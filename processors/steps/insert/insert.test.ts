import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { putBack, takeOut } from '../../../model/duplicates/taken-out.ts'
import { type NodeId, newId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { StepResult } from '../../framework/step.ts'
import { RECEIVED_AT } from '../../framework/testing.ts'
import { embedder, type FinishedFields, finished, freshNeighbours, vectorAt } from '../testing.ts'
import { createInsert } from './insert.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const step = () => createInsert({ database: db.database, neighbours: freshNeighbours(), actorKey: address => address })
const workspace = async (): Promise<WorkspaceId> => {
  const [id] = await db.workspaces(1)
  assert.ok(id)
  return id
}
const batch = (workspaceId: WorkspaceId, texts: readonly string[], finish: FinishedFields = {}) =>
  Promise.all(texts.map(text => finished(workspaceId, text, finish)))
const count = async (table: string, workspaceId: WorkspaceId): Promise<number> => {
  const { rows } = await db.pool.query(`select count(*)::int as n from ${table} where workspace_id = $1`, [workspaceId])
  return rows[0].n
}
const outcome = (result: StepResult<{ insertion: { number: number } }> | undefined) =>
  result?.kind === 'next' ? result.adds.insertion.number : result?.kind === 'skip' ? result.reason : result?.kind

test('stores a batch whole, numbered in its order, and every field of it', async () => {
  const workspaceId = await workspace()
  const node = newId<NodeId>()
  await db.pool.query(`insert into map_nodes (id, workspace_id, name) values ($1, $2, 'Export')`, [node, workspaceId])
  const [first, second] = await batch(workspaceId, ['The export fails', 'Please add a dark mode'], {
    label: 'idea',
    content: {
      event: 'ticket.created',
      source: 'desk',
      source_url: 'https://desk.example/7',
      actor_name: 'Sender',
      actor_email: '[EMAIL]',
      actor_key: 'key',
      signal_origin: 'internal',
      actor_role: 'pm',
      occurred_at: RECEIVED_AT - 1_000,
      metadata: '{"plan":"team","deep":{"list":[1,"two"]}}',
    },
  })
  assert.ok(first && second)
  const results = await step().run([{ ...first, anchor: { node_id: node, score: 0.91 } }, second])
  assert.deepEqual(results.map(outcome), [1, 2])
  const { rows } = await db.pool.query('select * from signals where id = $1', [first.signal_id])
  const { search, inserted_at, node_score, classification_confidence, text_hash, ...row } = rows[0]
  assert.deepEqual(row, {
    id: first.signal_id,
    workspace_id: workspaceId,
    number: 1,
    source_id: null,
    channel: 'webhook',
    text: 'The export fails',
    event: 'ticket.created',
    source: 'desk',
    source_url: 'https://desk.example/7',
    actor_name: 'Sender',
    actor_email: '[EMAIL]',
    actor_key: 'key',
    signal_origin: 'internal',
    actor_role: 'pm',
    metadata: { plan: 'team', deep: { list: [1, 'two'] } },
    cut_signature: null,
    cut_quoted: null,
    cut_footer: null,
    cut_omitted: null,
    occurred_at: new Date(RECEIVED_AT - 1_000),
    received_at: new Date(RECEIVED_AT),
    classification: 'idea',
    classification_version: 'test',
    perhaps: null,
    node_id: node,
    left_node_id: null,
    left_node_score: null,
    left_node_at: null,
    state: 'triage',
    version: 1,
    owner_id: null,
  })
  assert.equal(text_hash.toString('hex'), first.content.text_hash)
  const vectors = await db.pool.query('select place, model from signal_vectors where workspace_id = $1 order by 1', [
    workspaceId,
  ])
  assert.deepEqual(vectors.rows, [
    { place: 1, model: embedder.model },
    { place: 2, model: embedder.model },
  ])
})

test('a redelivery keeps its number and adds nothing, in another batch and twice in one', async () => {
  const workspaceId = await workspace()
  const [signal, other] = await batch(workspaceId, ['The export fails', 'Login is slow on mobile'])
  assert.ok(signal && other)
  assert.deepEqual((await step().run([signal])).map(outcome), [1])
  assert.deepEqual((await step().run([other, signal, other])).map(outcome), [2, 1, 2])
  assert.equal(await count('signals', workspaceId), 2)
  assert.equal(await count('occurrences', workspaceId), 0)
})

test('a thousand copies at once are one signal and 999 occurrences, whatever the batches', async () => {
  const workspaceId = await workspace()
  const copies = await batch(
    workspaceId,
    Array.from({ length: 1_000 }, () => 'The export button does nothing'),
  )
  const batches = Array.from({ length: 5 }, (_, index) => copies.slice(index * 200, index * 200 + 200))
  const results = (await Promise.all(batches.map(step().run))).flat()
  assert.equal(results.filter(result => result.kind === 'next').length, 1)
  assert.equal(results.filter(result => result.kind === 'skip').length, 999)
  assert.equal(await count('signals', workspaceId), 1)
  assert.equal(await count('occurrences', workspaceId), 999)
  const again = (await Promise.all(batches.map(step().run))).flat()
  assert.deepEqual(again, results)
  assert.equal(await count('occurrences', workspaceId), 999)
})

test('a near twin that came after dedup looked becomes an occurrence, with its similarity', async () => {
  const workspaceId = await workspace()
  const [original] = await batch(workspaceId, ['one text'], { vector: vectorAt(1), model: 'planted' })
  const [twin] = await batch(workspaceId, ['another text'], { vector: vectorAt(0.9), model: 'planted' })
  const [stranger] = await batch(workspaceId, ['a third text'], { vector: vectorAt(0.87, 2), model: 'planted' })
  assert.ok(original && twin && stranger)
  await step().run([original])
  assert.deepEqual(await step().run([twin, stranger]), [
    { kind: 'skip', reason: 'near_duplicate', duplicateOf: original.signal_id },
    { kind: 'next', adds: { insertion: { number: 2 }, embedding: null } },
  ])
  const { rows } = await db.pool.query('select signal_id, reason, similarity from occurrences where id = $1', [
    twin.signal_id,
  ])
  assert.equal(rows[0].signal_id, original.signal_id)
  assert.ok(Math.abs(rows[0].similarity - 0.9) < 1e-5)
})

test('near twins inside of one batch: the earlier is the original', async () => {
  const workspaceId = await workspace()
  const [first] = await batch(workspaceId, ['one text'], { vector: vectorAt(1), model: 'planted' })
  const [second] = await batch(workspaceId, ['another text'], { vector: vectorAt(0.89), model: 'planted' })
  assert.ok(first && second)
  assert.deepEqual(await step().run([first, second]), [
    { kind: 'next', adds: { insertion: { number: 1 }, embedding: null } },
    { kind: 'skip', reason: 'near_duplicate', duplicateOf: first.signal_id },
  ])
})

test('near twins inside of one batch that differ in a fact are two signals', async () => {
  const workspaceId = await workspace()
  const texts = ['The export stops on Centos 7', 'The export stops on Centos 8', 'Hi, the export stops on Centos 7']
  assert.deepEqual((await step().run(await batch(workspaceId, texts))).map(outcome), [1, 2, 'near_duplicate'])
})

test('vectors of another model are never compared, letters are', async () => {
  const workspaceId = await workspace()
  const [first] = await batch(workspaceId, ['one text'], { vector: vectorAt(1), model: 'planted' })
  const [other] = await batch(workspaceId, ['another text'], { vector: vectorAt(1), model: 'another-model' })
  const [same] = await batch(workspaceId, ['ONE   text\n'], { vector: vectorAt(0), model: 'another-model' })
  assert.ok(first && other && same)
  await step().run([first])
  assert.deepEqual((await step().run([other, same])).map(outcome), [2, 'same_text'])
})

test('the same text in two workspaces is two signals, each the first of its own', async () => {
  const [one, two] = await db.workspaces(2)
  assert.ok(one && two)
  const signals = [await finished(one, 'The export fails'), await finished(two, 'The export fails')]
  assert.deepEqual((await step().run(signals)).map(outcome), [1, 1])
})

test('a signal that is an occurrence by now stays one', async () => {
  const workspaceId = await workspace()
  const [original, twin] = await batch(workspaceId, ['The export fails', 'The export fails'])
  assert.ok(original && twin)
  await step().run([original, twin])
  const edited = { ...twin, content: { ...twin.content, text: 'Edited', text_hash: '00' } }
  assert.deepEqual((await step().run([edited])).map(outcome), ['same_text'])
  assert.equal(await count('signals', workspaceId), 1)
})

test('a repeat that was taken out leaves its original with its row, and no twin of any kind holds it', async () => {
  const workspaceId = await workspace()
  const copies = await batch(workspaceId, ['The export fails', 'The export fails', 'The export fails'])
  const [original, repeat, other] = copies
  assert.ok(original && repeat && other)
  await step().run(copies)
  const as = { role: 'assay_app', workspaceId } as const
  await db.database.transaction(as, transaction => takeOut(transaction, repeat.signal_id, new Date()))
  assert.deepEqual((await step().run([other, repeat, repeat])).map(outcome), ['same_text', 2, 2])
  assert.deepEqual((await step().run([repeat])).map(outcome), [2])
  const { rows } = await db.pool.query('select id from occurrences where signal_id = $1', [original.signal_id])
  assert.deepEqual(rows, [{ id: other.signal_id }])
})

test('what was taken out and put back before its row was there stays an occurrence', async () => {
  const workspaceId = await workspace()
  const [original, repeat] = await batch(workspaceId, ['The export fails', 'The export fails'])
  assert.ok(original && repeat)
  await step().run([original, repeat])
  await db.database.transaction({ role: 'assay_app', workspaceId }, async transaction => {
    await takeOut(transaction, repeat.signal_id, new Date())
    await putBack(transaction, repeat.signal_id)
  })
  assert.deepEqual((await step().run([repeat])).map(outcome), ['same_text'])
  assert.equal(await count('signals', workspaceId), 1)
})

test('a node that was deleted since anchor chose it is no node', async () => {
  const workspaceId = await workspace()
  const [signal] = await batch(workspaceId, ['The export fails'])
  assert.ok(signal)
  await step().run([{ ...signal, anchor: { node_id: newId<NodeId>(), score: 0.9 } }])
  const { rows } = await db.pool.query('select node_id from signals where id = $1', [signal.signal_id])
  assert.deepEqual(rows, [{ node_id: null }])
})

test('a record that no row can hold fails the batch as a data error, and stores none of it', async () => {
  const workspaceId = await workspace()
  const [good, bad] = await batch(workspaceId, ['The export fails', 'Login is slow'])
  assert.ok(good && bad)
  const broken = { ...bad, content: { ...bad.content, text: 'a\0b' } }
  await assert.rejects(step().run([good, broken]), { code: 'invalid_input' })
  assert.equal(await count('signals', workspaceId), 0)
  assert.deepEqual((await step().run([good])).map(outcome), [1])
})

test('stores a test apart from signals, the newest few, whatever else is in the batch', async () => {
  const workspaceId = await workspace()
  const texts = Array.from({ length: 7 }, (_, place) => `A test, number ${place}`)
  const tests = (await batch(workspaceId, texts)).map(test => ({ ...test, is_test: true }))
  const [signal] = await batch(workspaceId, [texts[0] ?? ''])
  assert.ok(signal)
  const wanted = [...tests.slice(0, 3), signal, ...tests.slice(3)]
  const results = await step().run(wanted)
  assert.deepEqual(results.map(outcome), ['test', 'test', 'test', 1, 'test', 'test', 'test', 'test'])
  assert.deepEqual((await step().run(wanted)).map(outcome), results.map(outcome), 'delivered again')
  assert.deepEqual(
    [await count('signals', workspaceId), await count('occurrences', workspaceId)],
    [1, 0],
    'no test is a signal, and nothing repeats one',
  )
  assert.equal(await count('test_signals', workspaceId), 5)
})
