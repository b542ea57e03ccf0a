import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../infra/runtime/testing.ts'
import { createBodyDeadlines } from '../http/body-flow.ts'
import { createFakeSources, postSignal, startTestEdge } from '../testing.ts'
import { exchange, open, readAnswer, SENDERS, type Sender } from './senders.ts'

/** Header lines that uWebSockets.js takes for the beginning of something. */
const BROKEN = ['X-A : 1', 'X-A: 1\r\n folded', 'X-A: \0'].map(
  line => `POST / HTTP/1.1\r\nHost: edge\r\n${line}\r\n\r\n`,
)

describe('clients that take their time', { concurrency: true }, () => {
  const sources = createFakeSources()
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  let quick: Awaited<ReturnType<typeof startTestEdge>>
  before(async () => {
    edge = await startTestEdge({}, { sources: sources.loader })
    // A whole body in 400 ms, so that the tests need not take as long as real clients may.
    quick = await startTestEdge({ bodyTimeoutMs: 400 }, { sources: sources.loader })
  })
  after(() => Promise.all([edge.stop(), quick.stop()]))

  const inFlightBytes = async () => {
    const text = await (await fetch(`${quick.url}/metrics`)).text()
    return Number(/^assay_ingest_in_flight_bytes\{.*\} (\d+)$/m.exec(text)?.[1])
  }

  const head = ({ receiver, contentType }: Sender, id: string, framing: string) =>
    `POST ${receiver.path}${id} HTTP/1.1\r\nHost: edge\r\nContent-Type: ${contentType}\r\n${framing}\r\n\r\n`

  for (const sender of SENDERS) {
    it(`are answered 408 at ${sender.name} when the body stops coming, and nothing of it is kept`, async () => {
      const { id } = sources.add(sender.source)
      for (const framing of ['Content-Length: 5000', 'Transfer-Encoding: chunked']) {
        const socket = open(quick.port, head(sender, id, framing))
        socket.write(framing.startsWith('T') ? '3\r\n{"a\r\n' : '{"a')
        const { status, text } = await readAnswer(socket)
        assert.equal(status, 408)
        assert.match(text, /body_too_slow/)
        // The connection ends: what else comes on it could not be told apart from the body.
        await eventually('the connection is closed', () => socket.destroyed || socket.readableEnded)
      }
    })
  }

  it('are answered 408 when the body comes byte by byte, however long it goes on', async () => {
    const [sender] = SENDERS
    assert.ok(sender)
    const socket = open(quick.port, head(sender, sources.add(sender.source).id, 'Content-Length: 50000'))
    const drip = setInterval(() => socket.write('x'), 5)
    const { status } = await readAnswer(socket)
    clearInterval(drip)
    socket.destroy()
    assert.equal(status, 408)
    await eventually('its bytes are given back', async () => (await inFlightBytes()) === 0)
  })

  it('keep nobody else from being answered', async () => {
    const [sender] = SENDERS
    assert.ok(sender)
    const { id } = sources.add(sender.source)
    const sockets = Array.from({ length: 200 }, () => open(edge.port, `${head(sender, id, 'Content-Length: 9')}x`))
    assert.equal((await postSignal(edge.url, sources.add().id, { text: 'x' })).status, 200)
    for (const socket of sockets) socket.destroy()
  })

  it('are hung up on when their headers do not end', async () => {
    const starts = ['POST /api/webhooks/cus', 'POST / HTTP/1.1\r\nHost: edge\r\nX-', 'hello\r\n\r\n', '\r\n', ...BROKEN]
    const answers = await Promise.all(starts.map(start => exchange(edge.port, start)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      starts.map(() => null),
    )
  })
})

describe('patience with a body', () => {
  /** What became of a body of which so many bytes come in each of so many ticks. */
  const wait = async (bytesATick: number, ticks: number, limits = { totalMs: 200, portionMs: 30 }) => {
    const deadlines = createBodyDeadlines({ ...limits, portionBytes: 100, tickMs: 10 })
    let slow = false
    const waiting = deadlines.begin(() => {
      slow = true
    })
    for (let tick = 0; tick < ticks && !slow; tick++) {
      waiting.progress(bytesATick)
      await sleep(10)
    }
    waiting.end()
    deadlines.stop()
    return slow
  }

  it('ends when too little comes, and when it goes on for too long', async () => {
    assert.equal(await wait(0, 100), true)
    assert.equal(await wait(1, 100), true)
    assert.equal(await wait(1_000, 100), true)
  })

  it('is enough for a body that comes at once', async () => {
    // Limits that a busy machine does not meet.
    assert.equal(await wait(1_000, 3, { totalMs: 60_000, portionMs: 60_000 }), false)
  })
})
