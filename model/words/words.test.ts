import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { countTransactions, startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { termsOf } from '../../infra/word-index/terms.ts'
import { createTexts } from '../../infra/word-index/testing.ts'
import { newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { fairShare } from './room.ts'
import { storeTerms } from './stored-terms.ts'
import { createWords, type Words } from './words.ts'

describe('Words', () => {
  let db: TestDatabase
  let numbers = 0
  before(async () => {
    db = await startTestDatabase()
  })
  after(() => db.stop())

  const workspace = async (): Promise<WorkspaceId> => {
    const [id] = await db.workspaces(1)
    assert.ok(id)
    return id
  }
  const inside = <Result>(id: WorkspaceId, work: Parameters<typeof db.database.transaction<Result>>[1]) =>
    db.database.transaction({ role: 'assay_pipeline', workspaceIds: [id] }, work)
  /** Signals as they were stored before words were. */
  const signals = async (workspaceId: WorkspaceId, texts: readonly string[]): Promise<SignalId[]> => {
    const ids = texts.map(() => newId<SignalId>())
    await inside(workspaceId, transaction =>
      transaction.query(
        `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at,
           received_at, classification, classification_confidence, classification_version)
         select id, $3, $4 + ordinal, 'webhook', text, '', 'customer', 'user', now(), now(), 'problem', 1, 'test'
         from unnest($1::uuid[], $2::text[]) with ordinality as added (id, text, ordinal)`,
        [ids, texts, workspaceId, numbers],
      ),
    )
    numbers += texts.length
    return ids
  }
  const storeWords = (workspaceId: WorkspaceId, said: readonly (readonly [SignalId, string, SignalId?])[]) =>
    inside(workspaceId, transaction =>
      storeTerms(
        transaction,
        said.map(([signalId, text, id = signalId]) => ({ workspaceId, signalId, id, terms: termsOf(text) })),
      ),
    )
  const store = async (workspaceId: WorkspaceId, ...texts: readonly string[]): Promise<SignalId[]> => {
    const ids = await signals(workspaceId, texts)
    await storeWords(
      workspaceId,
      ids.map((id, index) => [id, texts[index] ?? '']),
    )
    return ids
  }
  const refresh = (words: Words, id: WorkspaceId) => inside(id, transaction => words.refresh(transaction, [id]))
  const fresh = (maxBytes = 64 * 1024 * 1024) => createWords({ maxBytes })
  const found = (words: Words, id: WorkspaceId, text: string) =>
    words.nearest(id, text, 10).map(({ signalId }) => signalId)

  it('hold what was stored when they were refreshed, and take in the rest at the next time', async () => {
    const id = await workspace()
    const [first] = await store(id, 'The export of invoices fails')
    const words = fresh()
    assert.deepEqual(found(words, id, 'invoices'), [])
    await refresh(words, id)
    assert.deepEqual(found(words, id, 'invoices'), [first])
    const [second] = await store(id, 'Invoices are late')
    await Promise.all([refresh(words, id), refresh(words, id), words.warm(db.database, [id])])
    assert.deepEqual(found(words, id, 'invoices').toSorted(), [first, second].toSorted())
    assert.ok(first && second)
    assert.deepEqual(
      words.nearestTo(id, first, 10).map(({ signalId }) => signalId),
      [second],
    )
    assert.deepEqual(await found(words, await workspace(), 'invoices'), [])
  })

  it('know nothing of a text that was changed but what it says now, and nothing of it until that is stored', async () => {
    const id = await workspace()
    const [one, other] = await store(id, 'Call Rosalind about invoices', 'Invoices for Rosalind')
    assert.ok(one && other)
    const words = fresh()
    await refresh(words, id)
    await db.pool.query(`update signals set text = 'Call [NAME] about invoices' where id = $1`, [one])
    const restarted = fresh()
    await refresh(restarted, id)
    assert.deepEqual(found(restarted, id, 'Rosalind'), [other])
    await storeWords(id, [[one, 'Call [NAME] about invoices']])
    for (const each of [words, restarted, fresh()]) {
      await refresh(each, id)
      assert.deepEqual(found(each, id, 'Rosalind'), [other])
      assert.deepEqual(found(each, id, 'invoices').toSorted(), [one, other].toSorted())
    }
  })

  it('hold nothing of a signal that is gone once they are read again', async () => {
    const id = await workspace()
    const [gone, kept] = await store(id, 'Invoices fail', 'Invoices are late')
    const words = fresh()
    await refresh(words, id)
    await db.pool.query('delete from signals where id = $1', [gone])
    words.forget(id)
    await words.warm(db.database, [id])
    assert.deepEqual(found(words, id, 'invoices'), [kept])
  })

  it('are made of the texts where signals have none, as of an import', async () => {
    const id = await workspace()
    const text = createTexts(3, 500)
    const old = await signals(id, [...Array.from({ length: 600 }, text), 'Kowloon fails'])
    const words = fresh()
    await words.warm(db.database, [id])
    assert.deepEqual(found(words, id, 'Kowloon'), [old.at(-1)])
    const { rows } = await db.pool.query('select count(*)::int as n from signal_terms where workspace_id = $1', [id])
    assert.equal(rows[0].n, 601)
  })

  it('find a signal by the words of its repeats, once, and compare it with others by its own', async () => {
    const id = await workspace()
    const [original, other] = await store(id, 'Install fails on Kowloon 7', 'Install fails elsewhere')
    assert.ok(original && other)
    await storeWords(id, [[original, 'Install fails on Kowloon 8 with Nathan', newId<SignalId>()]])
    const words = fresh()
    await refresh(words, id)
    assert.deepEqual(found(words, id, 'Nathan Kowloon'), [original])
    assert.deepEqual(found(words, id, 'Kowloon 8'), [original, ...found(words, id, 'nothing')])
    const [compared, missing] = words.compare(id, original, [other, newId<SignalId>()])
    assert.ok((compared?.words ?? 0) > 0)
    assert.equal(missing, null)
  })

  it('keep the newer half of a workspace that is too large by itself', async () => {
    const id = await workspace()
    const text = createTexts(6, 100_000)
    await store(id, 'Kowloon', ...Array.from({ length: 900 }, text), 'Nathan')
    const words = fresh(300_000)
    for (let batch = 0; batch < 3; batch += 1) {
      await words.warm(db.database, [id])
      await refresh(words, id)
    }
    assert.equal(found(words, id, 'Nathan').length, 1)
    assert.deepEqual(found(words, id, 'Kowloon'), [])
    const [next] = await store(id, 'Nathan again')
    await words.warm(db.database, [id])
    await refresh(words, id)
    assert.equal(found(words, id, 'Nathan again')[0], next)
  })

  it('keep the newer texts of each where workspaces in use are too large together, and read none again in turn', async () => {
    const text = createTexts(4, 2000)
    const ids = [await workspace(), await workspace(), await workspace()]
    for (const id of ids) await store(id, 'Kowloon', ...Array.from({ length: 900 }, text), 'Nathan')
    const { database, begun } = countTransactions(db.database)
    const words = fresh(900_000)
    const goThrough = async () => {
      for (const id of ids) {
        await words.warm(database, [id])
        await refresh(words, id)
      }
    }
    await eventually('there is room', async () => {
      const before = begun()
      await goThrough()
      return begun() === before
    })
    for (const id of ids) {
      assert.equal(found(words, id, 'Nathan').length, 1)
      assert.deepEqual(found(words, id, 'Kowloon'), [])
    }
    await goThrough()
    const [next] = await store(ids[0] ?? assert.fail(), 'Nathan again')
    await goThrough()
    assert.equal(found(words, ids[0] ?? assert.fail(), 'Nathan again')[0], next)
  })

  it('forget the workspace that was not used for long when there is no room', async () => {
    const [one, other] = [await workspace(), await workspace()]
    const text = createTexts(4, 2000)
    await store(one, ...Array.from({ length: 50 }, text), 'Kowloon')
    await store(other, 'Kowloon')
    let now = Date.now()
    const words = createWords({ maxBytes: 60_000, now: () => now })
    await words.warm(db.database, [one])
    assert.equal(found(words, one, 'Kowloon').length, 1)
    now += 3_600_000
    await words.warm(db.database, [other])
    assert.equal(found(words, other, 'Kowloon').length, 1)
    assert.deepEqual(found(words, one, 'Kowloon'), [])
    await words.warm(db.database, [one])
    assert.equal(found(words, one, 'Kowloon').length, 1)
  })
})

describe('The room of several', () => {
  it('is shared so that who wants less is left alone', () => {
    assert.equal(fairShare([1, 2, 3], 6), Number.POSITIVE_INFINITY)
    assert.equal(fairShare([1, 2, 30, 40], 23), 10)
    assert.equal(fairShare([50, 40, 30], 30), 10)
    assert.equal(fairShare([], 5), Number.POSITIVE_INFINITY)
  })
})
