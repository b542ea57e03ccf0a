import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Priority } from '../port.ts'
import { SessionQueue } from './session-queue.ts'

const settled = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

/** Asks the queue for turns that are done at once; `ran` says whose they were, in their order. */
const takeIn =
  (turns: SessionQueue<string>, ran: string[]) =>
  (caller: string, priority: Priority): void =>
    turns.take(
      caller,
      () => {
        ran.push(caller)
        return 'done'
      },
      priority,
    )

test('the pipeline is served behind people, and also beside callers that ask without a pause', async () => {
  const turns = new SessionQueue<string>()
  const ran: string[] = []
  let asking = true
  // As a caller that always has its next statement ready when the last one is answered.
  const ask = (caller: string): void =>
    turns.take(caller, () => {
      ran.push(caller)
      if (asking) ask(caller)
      return 'done'
    })
  for (const caller of ['one', 'two', 'three']) ask(caller)
  takeIn(turns, ran)('pipeline', 'pipeline')
  await settled(20)
  asking = false
  await settled(10)
  const place = ran.indexOf('pipeline')
  assert.ok(place >= 3 && place <= 4, ran.join(' '))
})

test('a call that asks again a moment later waits once, and the pipeline is served all the same', async () => {
  const turns = new SessionQueue<string>({ keptForPeopleMs: 500 })
  const ran: string[] = []
  const take = takeIn(turns, ran)
  take('person', 'people')
  take('pipeline', 'pipeline')
  for (const _ of [1, 2]) {
    await settled(3)
    take('person', 'people')
  }
  await settled(3)
  assert.deepEqual(ran, ['person', 'person', 'person', 'pipeline'])
  take('person', 'people')
  await settled(3)
  // It comes to an end: nobody else asks, and the pipeline is not kept back for ever.
  await new Promise<void>(resolve => {
    turns.take(
      'pipeline',
      () => {
        resolve()
        return 'done'
      },
      'pipeline',
    )
  })
})

test('a transaction of bulk is not interrupted, and others go on behind it', async () => {
  const turns = new SessionQueue<string>()
  const ran: string[] = []
  const note = (what: string, then: 'done' | 'hold') => () => {
    ran.push(what)
    return then
  }
  turns.take('bulk', note('begin', 'hold'), 'bulk')
  await settled(3)
  turns.take('person', note('person', 'done'))
  turns.take('bulk', note('commit', 'done'), 'bulk')
  await settled(5)
  assert.deepEqual(ran, ['begin', 'commit', 'person'])
})

test('bulk waits until the others leave the engine free, and has a share when they never do', async () => {
  const turns = new SessionQueue<string>()
  const ran: string[] = []
  let asking = true
  // As a caller that comes back a moment later, again and again.
  const ask = (): void =>
    turns.take('person', () => {
      ran.push('person')
      if (asking) setTimeout(ask, 1)
      return 'done'
    })
  ask()
  await new Promise<void>(resolve => {
    turns.take(
      'bulk',
      () => {
        ran.push('bulk')
        resolve()
        return 'done'
      },
      'bulk',
    )
  })
  asking = false
  assert.ok(ran.indexOf('bulk') > 3, ran.join(' '))
})

test('however long the last turn of bulk took, the next one comes soon beside callers that ask without a pause', async t => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const turns = new SessionQueue<string>()
  const ran: string[] = []
  const take = takeIn(turns, ran)
  turns.take('export', () => 'hold', 'bulk')
  await settled(3)
  now += 60_000
  take('export', 'bulk')
  await settled(3)
  assert.deepEqual(ran, ['export'])
  take('bulk', 'bulk')
  const askedAt = now
  while (!ran.includes('bulk') && now - askedAt < 31_000) {
    now += 50
    take('person', 'people')
    await settled(2)
  }
  assert.equal(now - askedAt, 2000)
  assert.equal(ran.slice(0, ran.indexOf('bulk')).filter(caller => caller === 'person').length, 39)
})

test('bulk does not wait for who only looks whether there is work', async () => {
  const ran: string[] = []
  const turns = new SessionQueue<string>()
  const take = takeIn(turns, ran)
  take('bulk', 'bulk')
  take('polling', 'polling')
  await settled(5)
  assert.deepEqual(ran, ['polling', 'bulk'])
})
