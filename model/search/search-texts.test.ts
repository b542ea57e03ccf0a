import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Transaction } from '../../infra/postgres/port.ts'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { createTextIndex } from '../../infra/text-index/text-index.ts'
import { newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { createSearchTexts, type HeldTexts, type SearchTexts } from './search-texts.ts'
import { SEARCHED, type SearchedType } from './searched.ts'
import { readsPaged, untilTextsSettled } from './testing.ts'
import { createWorkspaceTexts } from './workspace-texts.ts'

const WAIT_MS = 60_000
/** The names of the errors that were logged. */
let logged: unknown[] = []
const LOG = { error: (fields: unknown) => logged.push(fields) }

let db: TestDatabase
let one: WorkspaceId
let two: WorkspaceId
let texts: SearchTexts
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
beforeEach(async () => {
  const [first, second] = await db.workspaces(2)
  assert.ok(first && second)
  one = first
  two = second
  texts = createSearchTexts({ maxBytes: 1 << 26, log: LOG })
})

const reads =
  (workspaceId: WorkspaceId) =>
  <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    db.database.transaction({ role: 'assay_app', workspaceId }, work)

let numbers = 0
const claims = async (workspaceId: WorkspaceId, ...titles: readonly string[]): Promise<readonly string[]> => {
  const ids = titles.map(() => newId())
  const from = numbers
  numbers += titles.length
  await db.pool.query(
    `insert into claims (id, workspace_id, number, kind, title)
     select id, $1, $4 + place, 'problem', title from unnest($2::uuid[], $3::text[]) with ordinality as added (id, title, place)`,
    [workspaceId, ids, titles, from],
  )
  return ids
}
/** Reads of the first workspace, of which a page waits. */
const readsHeldAt = (page: number, until: Promise<void>) => {
  let pages = 0
  return readsPaged(reads(one), () => {
    pages += 1
    return pages === page ? until : undefined
  })
}
const refreshed = (workspaceId = one, waitMs = WAIT_MS) => texts.refresh(reads(workspaceId), workspaceId, waitMs)
const found = async (text: string, workspaceId = one, types: readonly SearchedType[] = SEARCHED) =>
  (await refreshed(workspaceId)).search(text, types, 20).map(({ id }) => id)
/** What is missing, if anything is. */
const missing = ({ isCut, isReadingOlder, isReadingNewer }: HeldTexts) => ({ isCut, isReadingOlder, isReadingNewer })
const NOTHING = { isCut: false, isReadingOlder: false, isReadingNewer: false }

test('the index follows what is written, changed and removed, whoever did it', async () => {
  const [first, second] = await claims(one, 'Exports time out', 'Dark mode is missing')
  assert.deepEqual(await found('export'), [first])
  await db.pool.query(`update claims set title = 'Invoices time out', version = version + 1 where id = $1`, [first])
  assert.deepEqual(await found('export'), [])
  assert.deepEqual(await found('invoice'), [first])
  await db.pool.query('update claims set merged_into = $2 where id = $1', [first, second])
  assert.deepEqual(await found('invoice'), [])
  await db.pool.query('update claims set merged_into = null where id = $1', [first])
  assert.deepEqual(await found('invoice'), [first])
  const { rows } = await db.pool.query('delete from claims where id = $1 returning id', [first])
  assert.equal(rows.length, 1)
  const { rows: entries } = await db.pool.query('select id from search_entries where workspace_id = $1', [one])
  assert.deepEqual(entries, [{ id: second }])
  const held = await refreshed()
  held.remove([String(first)])
  assert.deepEqual(await found('invoice'), [])
})

test('what commits late is found, though what began after it was read before', async () => {
  if (process.env.DATABASE_URL === undefined) return
  const late = await db.pool.connect()
  try {
    const [id, early] = [newId(), newId()]
    const insert = `insert into claims (id, workspace_id, number, kind, title) values ($1, $2, $3, 'problem', $4)`
    await late.query('begin')
    await late.query(insert, [id, one, 9001, 'The late kangaroo'])
    await db.pool.query(insert, [early, one, 9002, 'The early kangaroo'])
    assert.deepEqual(await found('kangaroo'), [early])
    await late.query('commit')
    assert.deepEqual((await found('kangaroo')).toSorted(), [id, early].toSorted())
  } finally {
    late.release()
  }
})

test('a workspace sees its own words alone, by any way to write them', async () => {
  await claims(one, 'Platypus exports')
  const [other] = await claims(two, 'Wombat imports')
  for (const text of ['wombat', 'womb', 'wombta', 'wombats', 'imports']) {
    assert.deepEqual(await found(text, one), [], text)
    assert.deepEqual(await found(text, two), [other], text)
  }
})

test('pages are read to the end, and searches at one time read them once', async () => {
  const ids = await claims(one, ...Array.from({ length: 1203 }, (_, n) => `Kangaroo number ${n}`))
  await untilTextsSettled(db, one)
  let pages = 0
  const counted = (work: (transaction: Transaction) => Promise<unknown>) => {
    pages += 1
    return reads(one)(work)
  }
  await Promise.all([1, 2, 3].map(() => texts.refresh(counted as never, one, WAIT_MS)))
  assert.deepEqual(await found('kangaroo 1202'), [ids[1202], ...(await found('kangaroo 1202')).slice(1)])
  assert.ok(pages <= 3 + 2 * 2, `${pages} pages`)
  assert.equal((await refreshed()).having('kangaroo', 'claim', 2000).length, 1203)
})

test('a first reading that takes long is not waited for: the newest are found meanwhile, what is written too, and all in the end', async () => {
  const signal = newId()
  await db.pool.query(
    `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at, received_at,
       classification, classification_confidence, classification_version)
     values ($1, $2, 9001, 'webhook', 'Kangaroo signal', '', 'customer', 'user', now(), now(), 'problem', 1, 'test')`,
    [signal, one],
  )
  const old = await claims(one, ...Array.from({ length: 600 }, (_, n) => `Kangaroo number ${n}`))
  await claims(one, ...Array.from({ length: 500 }, (_, n) => `Wombat number ${n}`))
  await untilTextsSettled(db, one)
  let held = Promise.withResolvers<void>()
  let slow = reads(one)
  // On a busy machine the first page or the count may take longer than is waited for.
  const first = await eventually('the first page and the count', async () => {
    held.resolve()
    held = Promise.withResolvers()
    slow = readsHeldAt(2, held.promise)
    texts = createSearchTexts({ maxBytes: 1 << 26, log: LOG })
    const refreshedSlowly = await texts.refresh(slow, one, 100)
    const { isReadingOlder, isReadingNewer, stored } = refreshedSlowly
    assert.deepEqual([refreshedSlowly.texts, isReadingOlder, isReadingNewer, stored], [500, true, false, 1101])
    return refreshedSlowly
  })
  assert.deepEqual([first.isWhole, missing(first), first.stored], [false, { ...NOTHING, isReadingOlder: true }, 1101])
  assert.deepEqual(first.search('kangaroo', SEARCHED, 5), [])
  assert.equal(first.having('wombat', 'claim', 2000).length, 500)
  const [added] = await claims(one, 'A kangaroo that came meanwhile')
  await db.pool.query(`update claims set title = 'An echidna', version = version + 1 where id = $1`, [old[7]])
  const changed = await eventually('the change', async () => {
    const now = await texts.refresh(slow, one, 100)
    assert.equal(now.isReadingNewer, false)
    return now
  })
  assert.deepEqual([changed.isWhole, changed.search('kangaroo', SEARCHED, 5).map(({ id }) => id)], [false, [added]])
  held.resolve()
  const all = await texts.refresh(slow, one, WAIT_MS)
  assert.deepEqual([all.isWhole, missing(all), all.texts, all.stored], [true, NOTHING, 1102, 1102])
  assert.deepEqual(await found('echidna'), [old[7]])
  assert.equal(all.having('kangaroo', 'claim', 2000).length, 600)
  assert.deepEqual(all.having('kangaroo', 'claim', 1), [added])
  assert.deepEqual(await found('kangaroo signal', one, ['signal']), [signal])
})

test('what takes long to read on is not waited for either: it is counted, and found in the end', async () => {
  await claims(one, 'Exports time out')
  await untilTextsSettled(db, one)
  assert.equal((await refreshed()).isWhole, true)
  const added = await claims(one, ...Array.from({ length: 1300 }, (_, n) => `Invoice ${n} times out`))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const slow = readsHeldAt(2, released)
  const partial = await eventually('the first page and the count', async () => {
    const held = await texts.refresh(slow, one, 100)
    assert.deepEqual([held.texts, held.stored], [501, 1301])
    return held
  })
  assert.deepEqual([partial.isWhole, missing(partial)], [false, { ...NOTHING, isReadingNewer: true }])
  assert.deepEqual([partial.texts, partial.stored], [501, 1301])
  assert.deepEqual(partial.having('invoice', 'claim', 2000).length, 500)
  release()
  const whole = await refreshed()
  assert.deepEqual([whole.isWhole, missing(whole), whole.texts, whole.stored], [true, NOTHING, 1301, 1301])
  assert.deepEqual(whole.having('invoice', 'claim', 2000).toSorted(), added.toSorted())
})

test('a reading that fails is gone on with, and a workspace that there is no room for is read again', async () => {
  texts = createSearchTexts({ maxBytes: 1, log: LOG })
  const [first] = await claims(one, 'Platypus')
  const [second] = await claims(two, 'Wombat')
  await assert.rejects(
    texts.refresh(() => Promise.reject(new Error('away')), one, WAIT_MS),
    /away/,
  )
  assert.deepEqual(await found('platypus', one), [first])
  assert.deepEqual(await found('wombat', two), [second])
  assert.deepEqual(await found('platypus', one), [first])
})

test('what commits after a reading of changes failed is found by the one that goes on with it', async () => {
  await claims(one, 'Platypus')
  await refreshed()
  await claims(one, ...Array.from({ length: 600 }, (_, n) => `Kangaroo number ${n}`))
  const { rows } = await db.pool.query<{ oldest: string }>(
    'select max(changed_in)::text as oldest from search_entries where workspace_id = $1',
    [one],
  )
  const oldest = rows[0]?.oldest
  let pages = 0
  // As if a transaction was open for as long as the 600 are.
  const failing: ReturnType<typeof reads> = work => {
    pages += 1
    if (pages > 1) throw new Error('away')
    return reads(one)(transaction =>
      work({
        ...transaction,
        query: async <Row>(...asked: Parameters<Transaction['query']>) =>
          (await transaction.query<Row & object>(...asked)).map(row => ({ ...row, oldest })),
      }),
    )
  }
  await assert.rejects(texts.refresh(failing, one, WAIT_MS), /away/)
  const late = '00000000-0000-7000-8000-000000000001'
  await db.pool.query(
    `insert into claims (id, workspace_id, number, kind, title) values ($1, $2, 9003, 'problem', 'The late wombat')`,
    [late, one],
  )
  await db.pool.query('update search_entries set changed_in = $2::text::xid8 where id = $1', [late, oldest])
  assert.deepEqual(await found('wombat'), [late])
})

test('what a call holds stays with it while another workspace takes its room', async () => {
  texts = createSearchTexts({ maxBytes: 1, log: LOG })
  const [first] = await claims(one, 'Platypus')
  await claims(two, 'Wombat')
  const held = await refreshed(one)
  await refreshed(two)
  assert.deepEqual([held.isWhole, held.search('platypus', SEARCHED, 5).map(({ id }) => id)], [true, [first]])
})

test('of a workspace that is too large by itself the newest are held, and what is written since', async () => {
  texts = createSearchTexts({ maxBytes: 400_000, log: LOG })
  await claims(one, 'Platypus')
  await claims(one, ...Array.from({ length: 2500 }, (_, n) => `Kangaroo number ${n}`))
  await claims(one, 'Wombat')
  await untilTextsSettled(db, one)
  const cut = await refreshed()
  assert.deepEqual([cut.isWhole, missing(cut), cut.stored], [false, { ...NOTHING, isCut: true }, 2502])
  assert.ok(cut.texts >= 500 && cut.texts < 2500, `${cut.texts} texts`)
  assert.equal((await found('wombat')).length, 1)
  assert.deepEqual(await found('platypus'), [])
  const [echidna] = await claims(one, 'Echidna')
  assert.deepEqual(await found('echidna'), [echidna])
  assert.equal((await refreshed()).stored, 2503)
})

test('what is read twice because another transaction was open is counted once', async () => {
  texts = createSearchTexts({ maxBytes: 400_000, log: LOG })
  await claims(one, ...Array.from({ length: 1500 }, (_, n) => `Kangaroo number ${n}`))
  // As written while a transaction was open that has not ended since: all of them may have committed late.
  await db.pool.query(
    `update search_entries set changed_in = (pg_current_xact_id()::text::bigint + 1000)::text::xid8
     where workspace_id = $1`,
    [one],
  )
  const cut = await refreshed()
  assert.deepEqual([cut.isCut, cut.texts, cut.stored], [true, 1500, 1500])
})

test('a text with more words than an index holds is cut, and everything else is found', async () => {
  // One character that stands for four words: 43,692 in all.
  const [, long] = await claims(one, 'Platypus', 'Numbat', 'Wombat')
  await db.pool.query('update claims set statement = $2, version = version + 1 where id = $1', [
    long,
    '\uFDFA'.repeat(10_923),
  ])
  const held = await refreshed()
  assert.equal(held.cut, 1)
  for (const title of ['platypus', 'wombat']) assert.equal(held.search(title, SEARCHED, 5).length, 1)
  assert.equal(held.search('\uFDFA', SEARCHED, 5).length, 1)
  assert.equal(held.having('\uFDFA', 'claim', 5).length, 1)
  const [echidna] = await claims(one, 'Echidna')
  assert.deepEqual(await found('echidna'), [echidna])
})

test('an index that throws is built anew by the next call', async () => {
  let isBroken = true
  const breaking = () => {
    const index = createTextIndex()
    const search: typeof index.search = (...query) => {
      if (isBroken) throw new RangeError('A secret text')
      return index.search(...query)
    }
    return createWorkspaceTexts({ ...index, search })
  }
  texts = createSearchTexts({ maxBytes: 1 << 26, log: LOG, createTexts: breaking })
  const [platypus] = await claims(one, 'Platypus')
  logged = []
  await assert.rejects(found('platypus'), { code: 'unavailable', retriable: true })
  assert.deepEqual(logged, [{ kind: 'RangeError', workspaceId: one }])
  isBroken = false
  assert.deepEqual(await found('platypus'), [platypus])
})

test('a text that the index throws at is left out, and the others are found', async () => {
  const refusing = () => {
    const index = createTextIndex()
    const add: typeof index.add = (kind, fields, age) => {
      if (fields.title?.includes('Poison') === true) throw new RangeError('Too long')
      return index.add(kind, fields, age)
    }
    return createWorkspaceTexts({ ...index, add })
  }
  texts = createSearchTexts({ maxBytes: 1 << 26, log: LOG, createTexts: refusing })
  const [first, , third] = await claims(one, 'Platypus', 'Poison', 'Wombat')
  assert.deepEqual([await found('platypus'), await found('wombat')], [[first], [third]])
  assert.equal((await refreshed()).cut, 1)
})
