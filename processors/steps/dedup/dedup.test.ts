import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { insertSignals } from '../../../model/signals/store-signals.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { next, skip } from '../../framework/step.ts'
import { embedder, type Finished, finished, freshNeighbours, vectorAt } from '../testing.ts'
import { createDedup } from './dedup.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const dedup = (batch: readonly Finished[], neighbours = freshNeighbours()) =>
  createDedup({ database: db.database, embedder, neighbours, actorKey: address => address }).run(batch)
const workspace = async (): Promise<WorkspaceId> => {
  const [id] = await db.workspaces(1)
  assert.ok(id)
  return id
}
const store = async (...signals: readonly Finished[]) => {
  await db.database.transaction(
    { role: 'assay_pipeline', workspaceIds: [...new Set(signals.map(signal => signal.workspace_id))] },
    transaction =>
      insertSignals(
        transaction,
        signals.map((signal, index) => ({ signal, number: index + 1 })),
      ),
  )
}
const goesOn = (checkedThrough: number) => next({ deduplication: { checked_through: checkedThrough } })
const occurrencesOf = async (id: string) => {
  const { rows } = await db.pool.query('select id, reason from occurrences where signal_id = $1 order by id', [id])
  return rows
}

test('in an empty workspace everything goes on, twins of one batch too', async () => {
  const id = await workspace()
  const batch = [await finished(id, 'The export fails'), await finished(id, 'The export fails')]
  assert.deepEqual(await dedup(batch), [goesOn(0), goesOn(0)])
})

test('the same letters, whatever their case and spaces, are an occurrence of the stored signal', async () => {
  const id = await workspace()
  const original = await finished(id, 'The export fails')
  await store(original)
  const repeat = await finished(id, '  the EXPORT\nfails ')
  assert.deepEqual(await dedup([repeat]), [skip('same_text', original.signal_id)])
  assert.deepEqual(await occurrencesOf(original.signal_id), [{ id: repeat.signal_id, reason: 'same_text' }])
})

test('a repeat keeps what was said, by whom, where and when', async () => {
  const id = await workspace()
  const original = await finished(id, 'Installing fails on Centos 7', { vector: vectorAt(1), model: 'planted' })
  await store(original)
  const repeat = await finished(id, 'Installing fails on Centos 8', {
    vector: vectorAt(0.95),
    model: 'planted',
    content: { metadata: '{"plan":"team"}', actor_email: '[EMAIL]', event: 'ticket.created' },
  })
  await dedup([repeat])
  const { rows } = await db.pool.query('select * from occurrences where id = $1', [repeat.signal_id])
  const { content } = repeat
  assert.partialDeepStrictEqual(rows[0], {
    text: 'Installing fails on Centos 8',
    event: 'ticket.created',
    source: content.source,
    source_url: content.source_url,
    actor_name: content.actor_name,
    actor_email: '[EMAIL]',
    metadata: { plan: 'team' },
    occurred_at: new Date(content.occurred_at ?? repeat.received_at),
    received_at: new Date(repeat.received_at),
  })
})

for (const [cosine, channel, repeated] of [
  [0.95, 'webhook', true],
  [0.88, 'webhook', true],
  [0.8799, 'webhook', false],
  [0.881, 'email', true],
] as const) {
  test(`across channels, cosine ${cosine} from ${channel} ${repeated ? 'repeats' : 'is new'}`, async () => {
    const id = await workspace()
    const original = await finished(id, 'one text', { vector: vectorAt(1), model: 'planted' })
    await store(original)
    const signal = await finished(id, 'another text', { vector: vectorAt(cosine), model: 'planted', channel })
    assert.deepEqual(await dedup([signal]), [repeated ? skip('near_duplicate', original.signal_id) : goesOn(1)])
  })
}

for (const [cosine, repeated] of [
  [0.93, true],
  [0.91, false],
] as const) {
  test(`between two e-mails, whose threads quote, cosine ${cosine} ${repeated ? 'repeats' : 'is new'}`, async () => {
    const id = await workspace()
    const original = await finished(id, 'one text', { vector: vectorAt(1), model: 'planted', channel: 'email' })
    await store(original)
    const signal = await finished(id, 'another text', { vector: vectorAt(cosine), model: 'planted', channel: 'email' })
    assert.deepEqual(await dedup([signal]), [repeated ? skip('near_duplicate', original.signal_id) : goesOn(1)])
  })
}

test('of a model whose scale nobody knows, texts of one template repeat each other by their words alone', async () => {
  const id = await workspace()
  const ticket = (need: string) => `Dear support team,
please find attached the message from our portal, which the service desk recorded for you this week.
${need}
The person who wrote it agreed that we pass it on to you, and waits for an answer.`
  const told = (need: string, cosine: number) =>
    finished(id, ticket(need), { vector: vectorAt(cosine), model: 'planted' })
  const original = await told('The ledger stops after four hundred rows.', 1)
  await store(original)
  assert.deepEqual(await dedup([await told('Nobody can sign in on the tablet.', 0.97)]), [goesOn(1)])
  const again = await told('The ledger stops after four hundred rows!', 0.97)
  assert.deepEqual(await dedup([again]), [skip('near_duplicate', original.signal_id)])
})

test('the nearest of several is the original, found among many that are not near', async () => {
  const id = await workspace()
  const many = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      finished(id, `Report ${index} about ${(index * 7919).toString(36)} pages`),
    ),
  )
  const near = await finished(id, 'The export button of the invoice list does nothing when I click it')
  await store(...many, near)
  const repeat = await finished(id, 'The export button of the invoice list does nothing, when I click it!')
  assert.deepEqual(await dedup([repeat]), [skip('near_duplicate', near.signal_id)])
})

for (const [what, text, repeated] of [
  ['signs and a greeting', 'Hello,\nthe export to Excel stops on Centos 7', true],
  ['a version', 'The export to Excel stops on Centos 8', false],
  ['a name', 'The export to Numbers stops on Centos 7', false],
  ['a negation', 'The export to Excel never stops on Centos 7', false],
  ['the order of words', 'The Excel to export stops on Centos 7', false],
] as const) {
  test(`with the built-in embedder, a text that differs in ${what} ${repeated ? 'repeats' : 'is new'}`, async () => {
    const id = await workspace()
    const original = await finished(id, 'The export to Excel stops on Centos 7')
    await store(original)
    const outcome = await dedup([await finished(id, text)])
    assert.deepEqual(outcome, [repeated ? skip('near_duplicate', original.signal_id) : goesOn(1)])
  })
}

test('behind nearer texts that say something else, the one that says the same is found', async () => {
  const id = await workspace()
  const original = await finished(id, 'Hello team,\nThe export to Excel stops on Centos 7')
  const nearer = await finished(id, 'The export to Excel stops on Centos 8')
  await store(nearer, original)
  const signal = await finished(id, 'The export to Excel stops on Centos 7!')
  assert.deepEqual(await dedup([signal]), [skip('near_duplicate', original.signal_id)])
})

test('a stored signal never repeats itself, so a replay goes on', async () => {
  const id = await workspace()
  const signal = await finished(id, 'The export fails')
  const other = await finished(id, 'the export fails')
  await store(signal)
  assert.deepEqual(await dedup([signal]), [goesOn(1)])
  await store({ ...other, content: { ...other.content, text: 'other', text_hash: '00' } }).catch(() => undefined)
  assert.deepEqual(await dedup([signal]), [goesOn(1)])
})

test('an occurrence that is delivered again is skipped again, and counted once', async () => {
  const id = await workspace()
  const original = await finished(id, 'The export fails')
  await store(original)
  const repeat = await finished(id, 'The export fails')
  const first = await dedup([repeat, repeat])
  assert.deepEqual(first, [skip('same_text', original.signal_id), skip('same_text', original.signal_id)])
  assert.deepEqual(await dedup([repeat]), first.slice(1))
  assert.equal((await occurrencesOf(original.signal_id)).length, 1)
})

test('neither another workspace nor another model has originals for a signal', async () => {
  const [one, two] = await db.workspaces(2)
  assert.ok(one && two)
  await store(await finished(one, 'one text', { vector: vectorAt(1), model: 'planted' }))
  const elsewhere = await finished(two, 'one text', { vector: vectorAt(1), model: 'planted' })
  const otherModel = await finished(one, 'another text', { vector: vectorAt(1), model: 'another-model' })
  assert.deepEqual(await dedup([elsewhere, otherModel]), [goesOn(0), goesOn(0)])
})

test('what another batch takes in while this one compares counts as not compared with', async () => {
  const id = await workspace()
  await store(await finished(id, 'stored before', { vector: vectorAt(1, 2) }))
  const neighbours = freshNeighbours()
  const grows = {
    ...neighbours,
    nearest: (...asked: Parameters<typeof neighbours.nearest>) => {
      const found = neighbours.nearest(...asked)
      grows.through = () => 2
      return found
    },
  }
  assert.deepEqual(await dedup([await finished(id, 'comes now', { vector: vectorAt(0.2, 3) })], grows), [goesOn(1)])
})

test('a pull request that repeats a stored text is still a proposal on the Solution that it names', async () => {
  const id = await workspace()
  await db.pool.query(
    `insert into solutions (id, workspace_id, number, title) values (gen_random_uuid(), $1, 12, 'Export in pages')`,
    [id],
  )
  const text = 'Pull request #7 merged in octo-org/octo-repo: SOL-12 export in pages'
  const content = { event: 'pull_request.merged', metadata: '{"number":7,"branch":"export"}' }
  const finish = { channel: 'code_host' as const, content }
  const original = await finished(id, text, finish)
  await store(original)
  assert.deepEqual(await dedup([await finished(id, text, finish)]), [skip('same_text', original.signal_id)])
  const { rows } = await db.pool.query('select number, state from handoff_proposals where workspace_id = $1', [id])
  assert.deepEqual(rows, [{ number: 7, state: 'merged' }])
})
