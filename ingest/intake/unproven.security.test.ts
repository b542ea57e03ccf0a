import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { newId, type SourceId } from '../../schemas/domain/ids.ts'
import { CODE_HOSTS } from '../../schemas/domain/vocabulary.ts'
import { ENDPOINT_RECEIVERS } from '../receivers/index.ts'
import { postSignal, startTestEdge } from '../testing.ts'

/** Bodies of whoever has no key, which begin and do not end: nobody knows yet whose they are. */

const MIB = 1024 * 1024
const LIMIT = 128 * MIB
/** A quarter of it, without the eighth that is kept for holders of little. */
const SHARE = 28 * MIB
/** 200,000 bytes. */
const TEXT = '🙂'.repeat(50_000)
const HOSTILE = '198.51.100.7'
const ANOTHER = { 'x-forwarded-for': '203.0.113.9' }

describe('an address that begins bodies without a key holds its share of the memory, and no more', () => {
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  before(async () => {
    edge = await startTestEdge({ maxInFlightBytes: LIMIT, clientAddressHeader: 'x-forwarded-for' })
  })
  after(() => edge.stop())

  const inFlight = async () =>
    Number(/^assay_ingest_in_flight_bytes\{.*\} (\d+)$/m.exec(await (await fetch(`${edge.url}/metrics`)).text())?.[1])

  /** So much of a body that is a byte longer. */
  const begin = (path: string, contentType: string, bytes: number) => {
    const socket = connect(edge.port, '127.0.0.1')
    let answer = ''
    socket.on('error', () => {})
    socket.on('data', data => {
      answer += String(data)
    })
    const head = `POST ${path} HTTP/1.1\r\nHost: edge\r\nContent-Type: ${contentType}\r\nContent-Length: ${bytes + 1}\r\nX-Forwarded-For: ${HOSTILE}\r\n\r\n`
    socket.write(`${head}${'x'.repeat(bytes)}`)
    return { socket, answer: () => answer }
  }

  for (const receiver of ENDPOINT_RECEIVERS) {
    it(`at ${receiver.path}`, async () => {
      const codeHost = CODE_HOSTS.find(host =>
        receiver.serves({ ...edge.sources.add(), kind: receiver.name, codeHost: host }),
      )
      const source = () => edge.sources.add({ kind: receiver.name, codeHost: codeHost ?? null })
      // Each endpoint is another tenant's: none of them can be answered for what its stranger holds.
      const [contentType = ''] = receiver.contentTypes
      const bytes = Math.min(MIB, receiver.maxBodyBytes) - 1
      const bodies = Array.from({ length: Math.ceil(SHARE / bytes) + 8 }, () =>
        begin(`${receiver.path}${source().id}`, contentType, bytes),
      )
      await eventually('those beyond the share are refused', () => bodies.some(({ answer }) => / 503 /.test(answer())))
      await eventually('each is held or answered', async () => {
        const held = bodies.filter(({ answer }) => answer() === '').length
        return (await inFlight()) === held * bytes
      })
      assert.ok((await inFlight()) <= SHARE, String(await inFlight()))
      // The tenant whose endpoint the stranger knows has its room, too.
      const known = edge.sources.add()
      const atKnown = begin(`/api/webhooks/custom/${known.id}`, 'application/json', 700_000)
      assert.equal((await postSignal(edge.url, known.id, { text: TEXT }, ANOTHER)).status, 200)
      for (const { socket } of [...bodies, atKnown]) socket.destroy()
      await eventually('the memory is freed', async () => (await inFlight()) === 0)
    })
  }

  it('also where nobody knows the endpoint', async () => {
    const bodies = Array.from({ length: SHARE / 700_000 + 8 }, () =>
      begin(`/api/webhooks/custom/${newId<SourceId>()}`, 'application/json', 700_000),
    )
    await eventually('all are answered', () => bodies.every(({ answer }) => / (?:404|503) /.test(answer())))
    assert.equal((await postSignal(edge.url, edge.sources.add().id, { text: 'Good.' }, ANOTHER)).status, 200)
    for (const { socket } of bodies) socket.destroy()
  })
})
