import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../runtime/logger.ts'
import { eventually } from '../runtime/testing.ts'
import { createValkey } from './client.ts'
import { describeWithValkey } from './testing.ts'

/** A client with quick patience, and the lines that it logged. */
const connectTo = (url: string) => {
  const lines: string[] = []
  const logger = createLogger({
    level: 'info',
    program: 'test',
    destination: { write: line => void lines.push(JSON.parse(line).msg) },
  })
  return { lines, valkey: createValkey({ url, logger, watchMs: 50 }) }
}

test('A server that is not there is away, which the log says once, and nothing is thrown.', async t => {
  // Port 1 is reserved, and nobody listens there.
  const { valkey, lines } = connectTo('redis://:secret@127.0.0.1:1')
  t.after(() => valkey.close())
  await eventually('it is known to be away', () => lines.length > 0)
  valkey.failed(new Error('again'))
  assert.equal(valkey.answers(), false)
  await assert.rejects(valkey.assertAnswers(), { code: 'unavailable' })
  assert.deepEqual(lines, ['Valkey does not answer'])
})

await describeWithValkey(server => {
  test('A server that goes, comes back, and stands still is away and here again, each said once.', async t => {
    t.after(() => server.stop())
    await server.start()
    const { valkey, lines } = connectTo(server.url)
    t.after(() => valkey.close())
    await eventually('it answers', valkey.answers)
    assert.deepEqual(lines, [])

    await server.stop()
    await eventually('it is away', () => !valkey.answers())
    await server.start()
    await eventually('it answers again', valkey.answers)

    server.pause()
    await eventually('it is away without a closed connection', () => !valkey.answers())
    server.resume()
    await eventually('it answers once more', valkey.answers)
    const [away, back] = ['Valkey does not answer', 'Valkey answers again']
    assert.deepEqual(lines, [away, back, away, back])
  })
})
