import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { it } from 'node:test'
import { type CreatedSource, signUp } from '../support/person.ts'
import type { ProgramsInstallation } from '../support/programs.ts'
import { webhookHeaders } from '../support/sender.ts'

const SENDERS = 100
/** One connection of a workspace takes 500 requests a minute. */
const BURSTS = 4
/**
 * Reads and writes a request of a burst, twice what was measured: most of them go to Kafka, and requests that come
 * together share an append. Two for each request would say that nothing is shared. It holds for the best of the bursts:
 * the kernel counts for the whole process, and a thread that starts meanwhile reads 500 times, while what is asked for
 * each request is asked in every burst.
 */
const MAX_CALLS = 0.5

/**
 * What a process has asked the kernel to read and write. Not counted is what uWebSockets.js receives and sends itself,
 * once each for a request. Null where the kernel does not tell.
 */
const readsAndWrites = (pid: number): number | null => {
  const path = `/proc/${pid}/io`
  if (!existsSync(path)) return null
  const counts = [...readFileSync(path, 'utf8').matchAll(/^sysc[rw]: (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

const requestOf = (source: CreatedSource, number: number): string => {
  const at = new Date()
  const id = `burst-${number}`
  const body = JSON.stringify({
    type: 'feedback.created',
    timestamp: at.toISOString(),
    data: { text: `The calendar shows a meeting ${number} times.` },
  })
  const headers = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...webhookHeaders(source.secret, id, at, body),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${new URL(source.url).pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject)
  })

const answered = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    socket.once('data', (answer: Buffer) => resolve(answer.toString())).once('error', reject)
  })

const sent = (socket: Socket, request: string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(request, error => (error ? reject(error) : resolve()))
  })

/** Sends them while the edge stands still, so that it finds all of them at once however busy the machine is. */
const sentTogether = async (pid: number, sockets: readonly Socket[], requests: readonly string[]) => {
  process.kill(pid, 'SIGSTOP')
  try {
    await Promise.all(sockets.map((socket, place) => sent(socket, requests[place] ?? '')))
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

export const describeSystemCalls = (installation: () => ProgramsInstallation): void => {
  it('requests that come together share the system calls of an edge', async t => {
    const [edge] = installation().programs.ingest
    assert.ok(edge)
    const person = await signUp(installation().baseUrl)
    const source = await person.call<CreatedSource>('create_source', { kind: 'connection', name: 'Bursts' })
    const { port } = new URL(edge.baseUrl)
    const sockets = await Promise.all(Array.from({ length: SENDERS }, () => connected(Number(port))))
    const pid = edge.pid()
    assert.ok(pid)
    const eachOf: number[] = []
    for (let burst = 0; burst < BURSTS; burst += 1) {
      const requests = sockets.map((_, place) => requestOf(source, burst * SENDERS + place))
      const answers = Promise.all(sockets.map(answered))
      const before = readsAndWrites(pid)
      await sentTogether(pid, sockets, requests)
      for (const answer of await answers) assert.match(answer, /^HTTP\/1.1 200 /)
      const after = readsAndWrites(pid)
      if (before !== null && after !== null) eachOf.push((after - before) / SENDERS)
    }
    for (const socket of sockets) socket.destroy()
    if (eachOf.length === 0) return t.diagnostic('This kernel does not count system calls.')
    t.diagnostic(`${eachOf.map(each => each.toFixed(2)).join(', ')} reads and writes a request`)
    const each = Math.min(...eachOf)
    assert.ok(each > 0 && each < MAX_CALLS, `${each.toFixed(2)} reads and writes a request at best`)
  })
}
