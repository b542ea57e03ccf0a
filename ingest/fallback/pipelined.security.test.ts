import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { startTestEdge } from '../testing.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: edge\r\n\r\n'
/** More than the system takes for a connection at once. */
const BODY_BYTES = 8 * 1024 * 1024
const REQUESTS = 100
/** What the system keeps of a connection beside what the edge keeps. */
const MAX_MADE = 20

describe('A client that sends requests and takes no answer', () => {
  let made = 0
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  beforeEach(() => {
    made = 0
  })
  before(async () => {
    edge = await startTestEdge(
      {},
      {
        fallback: () => {
          made += 1
          return new Response(new Uint8Array(BODY_BYTES))
        },
      },
    )
  })
  after(() => edge.stop())

  const send = (requests: number) => {
    const socket = connect(edge.port, '127.0.0.1')
    socket.write(REQUEST.repeat(requests))
    return socket
  }

  it('has few answers made for it, and others are answered meanwhile', async () => {
    const socket = send(REQUESTS).pause()
    let before = -1
    await eventually('no more answers are made', async () => {
      const isStill = made > 0 && made === before
      before = made
      await new Promise(resolve => setTimeout(resolve, 100))
      return isStill
    })
    assert.ok(made < MAX_MADE, `${made} answers were made for ${REQUESTS} requests`)
    assert.equal((await fetch(edge.url)).status, 200)
    socket.destroy()
  })

  it('has its connection ended where it sends another request before it has taken an answer', async () => {
    const socket = send(REQUESTS).pause()
    await eventually('an answer has begun', async () => made > 0 || null)
    const ended = once(socket, 'close')
    socket.resume()
    await ended
  })

  it('gets each answer whole where it asks one after the other, however slowly it reads', async () => {
    const socket = connect(edge.port, '127.0.0.1')
    let received = 0
    socket.on('data', bytes => {
      received += bytes.length
      socket.pause()
      setTimeout(() => socket.resume(), 1)
    })
    for (let asked = 1; asked <= 5; asked += 1) {
      socket.write(REQUEST)
      await eventually('the answer is there', async () => received > asked * BODY_BYTES || null)
    }
    socket.destroy()
  })

  it('may leave in the midst of an answer', async () => {
    const socket = send(3).pause()
    await eventually('an answer has begun', async () => socket.bytesWritten > 0 || null)
    socket.destroy()
    assert.equal((await fetch(edge.url)).status, 200)
  })
})
