import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from './turns.ts'

const settled = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

test('the background is served behind others, and also beside callers that ask without a pause', async () => {
  const turns = new Turns<string>()
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
  const pipeline = () => {
    ran.push('pipeline')
    return 'done' as const
  }
  turns.take('pipeline', pipeline, true)
  await settled(20)
  asking = false
  await settled(10)
  const place = ran.indexOf('pipeline')
  assert.ok(place >= 3 && place <= 4, ran.join(' '))
})

test('a transaction of the background is not interrupted, and others go on behind it', async () => {
  const turns = new Turns<string>()
  const ran: string[] = []
  const note = (what: string, then: 'done' | 'hold') => () => {
    ran.push(what)
    return then
  }
  turns.take('pipeline', note('begin', 'hold'), true)
  await settled(3)
  turns.take('person', note('person', 'done'))
  turns.take('pipeline', note('commit', 'done'), true)
  await settled(5)
  assert.deepEqual(ran, ['begin', 'commit', 'person'])
})
