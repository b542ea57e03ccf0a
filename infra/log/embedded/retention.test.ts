import assert from 'node:assert/strict'
import { mock, type TestContext, test } from 'node:test'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { createCatalogue } from './catalogue.ts'
import { openDatabase } from './database.ts'
import { packValues } from './protocol.ts'
import { createCommits, createRecords } from './records.ts'
import { createRetention } from './retention.ts'
import { temporaryDirectory } from './testing.ts'

const TOPIC = 'topic'

/** A log's file, and a clock that the test sets. */
const setUp = async (t: TestContext) => {
  mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 })
  const directory = await temporaryDirectory(t)
  t.after(() => mock.timers.reset())
  const open = () => {
    const database = openDatabase(directory)
    t.after(() => database.isOpen && database.close())
    const catalogue = createCatalogue(database)
    catalogue.ensure([{ name: TOPIC, partitions: 1, retentionMs: DAY_MS }])
    const records = createRecords(database, catalogue)
    const commits = createCommits(database, catalogue, records)
    const readers: { group: string; topics: ReadonlySet<string> }[] = []
    const groups = { reading: () => readers }
    const retention = createRetention({ database, catalogue, groups, write: async change => change() })
    const partition = catalogue.partition(TOPIC, 0)
    return {
      ...retention,
      database,
      append: (count: number) =>
        records.append({
          heads: Array.from({ length: count }, () => ({ topic: TOPIC, key: null, headers: '{}' })),
          ...packValues(Array.from({ length: count }, () => Uint8Array.of(1))),
        }),
      begin: (group: string) => commits.begin(group, [TOPIC], 'earliest'),
      commit: (group: string, offset: number) => commits.commit(group, partition, { offset, metadata: '' }),
      join: (group: string) => readers.push({ group, topics: new Set([TOPIC]) }),
      leave: () => readers.splice(0),
      first: () => records.firstOffset(partition),
      next: () => partition.nextOffset,
    }
  }
  const pass = (ms: number): void => mock.timers.setTime(Date.now() + ms)
  return { open, pass }
}

test('A topic that nobody reads keeps its records for their time, and not longer.', async t => {
  const { open, pass } = await setUp(t)
  const log = open()
  await log.start()
  log.append(2500)
  pass(DAY_MS - 1)
  log.append(1)
  await log.sweep()
  assert.equal(log.first(), 0)
  pass(1)
  await log.sweep()
  assert.equal(log.first(), 2500)
  pass(DAY_MS)
  await log.sweep()
  assert.equal(log.first(), 2501)
  log.database.close()
  const again = open()
  assert.equal(again.next(), 2501)
  again.database.close()
})

test('The group that is furthest behind holds records back, until nobody read for it in seven days.', async t => {
  const { open, pass } = await setUp(t)
  const log = open()
  await log.start()
  log.append(10)
  log.begin('ahead')
  log.begin('behind')
  log.commit('ahead', 8)
  log.commit('behind', 3)
  log.join('ahead')
  for (let day = 1; day <= 7; day++) {
    pass(DAY_MS)
    await log.sweep()
    assert.equal(log.first(), 3)
  }
  pass(1)
  await log.sweep()
  assert.equal(log.first(), 8)
  log.database.close()
})

test('A group that has begun to read, but committed nothing, holds everything back.', async t => {
  const { open, pass } = await setUp(t)
  const log = open()
  await log.start()
  log.append(10)
  log.begin('new')
  pass(2 * DAY_MS)
  await log.sweep()
  assert.equal(log.first(), 0)
  log.database.close()
})

test('Time in which the log was not running makes no group forgotten.', async t => {
  const { open, pass } = await setUp(t)
  const before = open()
  await before.start()
  before.append(10)
  before.begin('group')
  before.commit('group', 4)
  await before.sweep()
  before.database.close()
  pass(30 * DAY_MS)
  const after = open()
  await after.start()
  await after.sweep()
  assert.equal(after.first(), 4)
  pass(6 * DAY_MS)
  await after.sweep()
  assert.equal(after.first(), 4)
  pass(2 * DAY_MS)
  await after.sweep()
  assert.equal(after.first(), 10)
  after.database.close()
})

test('What was taken up to a time is removed at once where every group has worked it off, however young it is.', async t => {
  const { open, pass } = await setUp(t)
  const log = open()
  await log.start()
  log.append(1500)
  log.begin('ahead')
  log.begin('behind')
  log.commit('ahead', 1500)
  log.commit('behind', 1200)
  log.join('ahead')
  const takenUpTo = Date.now()
  pass(1)
  log.append(10)
  await log.forget(takenUpTo)
  assert.equal(log.first(), 1200)
  log.commit('behind', 1510)
  log.commit('ahead', 1510)
  await log.forget(takenUpTo)
  assert.equal(log.first(), 1500)
  log.database.close()
})
