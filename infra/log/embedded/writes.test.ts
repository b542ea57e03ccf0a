import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { AssayError } from '../../runtime/errors.ts'
import { createWrites } from './writes.ts'

const setUp = () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table numbers (number integer not null unique) strict')
  const reported: unknown[] = []
  let undone = 0
  const writes = createWrites({
    database,
    undone: () => {
      undone += 1
    },
    report: error => reported.push(error),
    onRefusal: () => {},
    hasRoom: () => true,
  })
  const insert = database.prepare('insert into numbers values (?)')
  return {
    ...writes,
    reported,
    undone: () => undone,
    add: (number: number | null) => writes.write(() => insert.run(number).changes),
    stored: () =>
      database
        .prepare('select number from numbers order by number')
        .all()
        .map(row => row.number),
  }
}

test('Writes that arrive together are stored together, when the thread gets to it.', async () => {
  const { add, stored, undone } = setUp()
  const writes = [add(1), add(2), add(3)]
  assert.deepEqual(stored(), [])
  assert.deepEqual(await Promise.all(writes), [1, 1, 1])
  assert.deepEqual(stored(), [1, 2, 3])
  assert.equal(undone(), 0)
})

test('A write that breaks the transaction fails alone.', async () => {
  const { add, stored, undone, reported } = setUp()
  const outcomes = await Promise.allSettled([add(1), add(null), add(2), add(1)])
  assert.deepEqual(
    outcomes.map(outcome => outcome.status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  )
  assert.ok(outcomes[1]?.status === 'rejected' && outcomes[1].reason.code === 'unavailable')
  assert.deepEqual(stored(), [1, 2])
  assert.ok(undone() > 0)
  assert.equal(reported.length, 2)
})

test('A write that refuses before it changes anything undoes nothing.', async () => {
  const { add, write, stored, undone, reported } = setUp()
  const refusal = new AssayError('partition_lost', 'The partition is lost.')
  const refuse = (): never => {
    throw refusal
  }
  const [first, second, third] = await Promise.allSettled([add(1), write(refuse), add(2)])
  assert.ok(first.status === 'fulfilled' && third.status === 'fulfilled')
  assert.ok(second.status === 'rejected' && second.reason === refusal)
  assert.deepEqual(stored(), [1, 2])
  assert.equal(undone(), 0)
  assert.deepEqual(reported, [])
})

test('What fails after the commit is reported once, and nobody is told that it is not stored or stores it again.', async () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table numbers (number integer not null) strict')
  const insert = database.prepare('insert into numbers values (?)')
  const reported: unknown[] = []
  let failure: Error | null = new Error('EIO: i/o error, write')
  let undone = 0
  const { write } = createWrites({
    database,
    stored: () => {
      if (failure !== null) throw failure
    },
    undone: () => {
      undone += 1
    },
    report: error => reported.push(error),
    onRefusal: () => {},
    hasRoom: () => true,
  })
  const add = (number: number) => write(() => insert.run(number).changes)
  assert.deepEqual(await Promise.all([add(1), add(2)]), [1, 1])
  assert.equal(await add(3), 1)
  assert.deepEqual(reported, [failure])
  const first = failure
  failure = null
  await add(4)
  failure = new Error('ENOSPC: no space left on device, write')
  await add(5)
  assert.deepEqual(reported, [first, failure])
  assert.deepEqual(
    database
      .prepare('select number from numbers')
      .all()
      .map(({ number }) => number),
    [1, 2, 3, 4, 5],
  )
  assert.equal(undone, 0)
})

test('A disk whose room cannot be told keeps what was committed once.', async () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table numbers (number integer not null) strict')
  const insert = database.prepare('insert into numbers values (?)')
  const unknown = new Error('EIO: i/o error, statfs')
  const reported: unknown[] = []
  const { write } = createWrites({
    database,
    undone: () => {},
    report: error => reported.push(error),
    onRefusal: () => {},
    hasRoom: () => {
      throw unknown
    },
  })
  const full = write(() => {
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
  })
  await assert.rejects(full, { code: 'unavailable' })
  await write(() => insert.run(1))
  assert.equal(database.prepare('select number from numbers').all().length, 1)
  assert.deepEqual(reported, [unknown])
})

test('flush() stores at once what is waiting.', async () => {
  const { add, flush, stored } = setUp()
  const write = add(1)
  flush()
  assert.deepEqual(stored(), [1])
  await write
})

test('A disk that is full is said to be until something could be written again, to the operator once.', async () => {
  const real = new DatabaseSync(':memory:')
  real.exec('create table numbers (number integer not null unique) strict')
  let full = false
  let hasRoom = false
  // As SQLite does when it cannot make its file longer.
  const database = new Proxy(real, {
    get: (target, name) => {
      if (name === 'isTransaction') return target.isTransaction
      if (name !== 'exec') throw new Error(`Nobody needs ${String(name)}.`)
      return (statement: string) => {
        if (full && statement === 'commit') throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
        target.exec(statement)
      }
    },
  })
  const told: unknown[] = []
  const { write, assertStoring } = createWrites({
    database,
    undone: () => {},
    report: error => told.push(error),
    onRefusal: reason => told.push(reason),
    hasRoom: () => hasRoom,
  })
  const insert = real.prepare('insert into numbers values (?)')
  const isFull = { code: 'unavailable', message: 'The log cannot store anything: the disk is full. Make room on it.' }
  await assertStoring()
  full = true
  await assertStoring()
  await assert.rejects(
    write(() => insert.run(1)),
    isFull,
  )
  for (let round = 0; round < 3; round += 1) await assert.rejects(assertStoring(), isFull)
  assert.deepEqual(told, ['the disk is full. Make room on it'])
  // A small write finds a place where the next one will not.
  full = false
  await assert.rejects(assertStoring(), isFull)
  assert.equal(told.length, 1)
  hasRoom = true
  await assertStoring()
  assert.deepEqual(told.slice(1), [null])
  await write(() => insert.run(2))
  assert.deepEqual(
    real
      .prepare('select number from numbers')
      .all()
      .map(({ number }) => number),
    [2],
  )
})
