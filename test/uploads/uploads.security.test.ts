import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { createHealth } from '../../infra/runtime/health.ts'
import { createProbes } from '../../infra/runtime/listen.ts'
import { createMetrics } from '../../infra/runtime/metrics.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { startTestEdge } from '../../ingest/testing.ts'
import { startServer } from '../../query-api/http/server.ts'
import { type Person, startTestApi, TEST_SETTINGS, type TestApi } from '../../query-api/testing.ts'

/** Bytes come from another process, which sends at the full speed of the loopback interface. */
const CLIENT = `
  const { request } = require('node:http')
  const [port, bytes, chunked, cookie, leavesAfter] = process.argv.slice(1)
  const line = Buffer.from('{"text":"It hangs when I export, every time"}\\n')
  const body = Buffer.concat(Array(Math.ceil(bytes / line.length)).fill(line)).subarray(0, bytes)
  const length = chunked === 'true' ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length }
  const options = { host: '127.0.0.1', port, method: 'POST', path: '/api/files/imports?name=a.jsonl' }
  const sent = request({ ...options, headers: { cookie, ...length } }, response => {
    let said = ''
    response.setEncoding('utf8').on('data', part => (said += part)).on('end', () => {
      process.stdout.write(response.statusCode + ' ' + said, () => process.exit())
    })
  })
  sent.on('error', error => process.stdout.write(error.code ?? error.message, () => process.exit()))
  if (leavesAfter === '') sent.end(body)
  else sent.write(body.subarray(0, leavesAfter), () => process.exit())
`

const MB = 1_000_000
const MIB = 1024 * 1024

let kit: TestApi
let owner: Person
const ports: Record<string, number> = {}
const stops: (() => Promise<unknown>)[] = []

before(async () => {
  kit = await startTestApi({ settings: { ...TEST_SETTINGS, quotas: { ...TEST_SETTINGS.quotas, uploads: 1000 } } })
  owner = await kit.signUp()
  const edge = await startTestEdge({}, { fallback: kit.api.fetch })
  const probes = createProbes(createHealth(), createMetrics({ program: 'test', ofProcess: false }))
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    clientAddressHeader: null,
    probes,
    handler: kit.api.fetch,
  })
  ports.uWebSockets = edge.port
  ports.node = server.port
  stops.push(edge.stop, server.stop, kit.stop)
})
after(async () => {
  for (const stop of stops) await stop()
})

interface Sending {
  readonly bytes: number
  readonly chunked: boolean
  readonly leavesAfter?: number
}

/** Its status and what was answered, as the client read them. */
const send = async (server: string, { bytes, chunked, leavesAfter }: Sending): Promise<string> => {
  const given = [String(ports[server]), String(bytes), String(chunked), owner.cookie, String(leavesAfter ?? '')]
  const client = spawn(process.execPath, ['-e', CLIENT, ...given], { stdio: ['ignore', 'pipe', 'inherit'] })
  return text(client.stdout)
}

const stored = async () => {
  const { rows } = await kit.database.pool.query<{ bytes: number; pieces: number; files: number }>(`
    select count(*)::integer as files, coalesce(sum(bytes), 0)::double precision as bytes,
      (select coalesce(sum(bytes), 0) from transfer_pieces)::double precision as pieces
    from transfers where direction = 'import'`)
  return rows[0] ?? assert.fail()
}

/** Files that this process has open of bodies that nobody has read; none has a name in a folder. */
const openFiles = async (): Promise<number> => {
  const names = await readdir('/proc/self/fd')
  const targets = await Promise.all(names.map(name => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return targets.filter(target => target.includes('assay-unread')).length
}

/** The most memory of this process while the work was done, beyond what it had before, in bytes. */
const memoryPeakOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.memoryUsage.rss()
  await writeFile('/proc/self/clear_refs', '5')
  await work()
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(await readFile('/proc/self/status', 'utf8')) ?? []
  return Number(peak) * 1024 - before
}

const onLinux = { skip: process.platform !== 'linux' && 'the system shows neither open files nor peaks of memory' }

for (const server of ['uWebSockets', 'node']) {
  describe(`An upload at the full speed of the line, ${server}`, () => {
    for (const bytes of [16 * MB, 17 * MB, 60 * MB, 99 * MB]) {
      it(`of ${bytes / MB} MB is stored as it was sent, with its length and in chunks`, async () => {
        for (const chunked of [false, true]) {
          const before = await stored()
          assert.match(await send(server, { bytes, chunked }), /^201 /)
          const now = await stored()
          const grown = [now.files - before.files, now.bytes - before.bytes, now.pieces - before.pieces]
          assert.deepEqual(grown, [1, bytes, bytes])
        }
      })
    }

    it('of more than 100 MB is refused in a sentence, and nothing of it stays', async () => {
      const before = await stored()
      for (const chunked of [false, true]) {
        const answer = await send(server, { bytes: 110 * MB, chunked })
        assert.match(answer, /^413 .*"The file is too large: at most 100 MB\. Cut it into several files/)
      }
      assert.deepEqual(await stored(), before)
    })

    it('leaves neither a file nor rows when its client leaves half way', onLinux, async () => {
      const before = await stored()
      for (const chunked of [false, true]) await send(server, { bytes: 60 * MB, chunked, leavesAfter: 40 * MB })
      await eventually('nothing is left of it', async () => {
        const now = await stored()
        return now.files === before.files && now.pieces === before.pieces && (await openFiles()) === 0
      })
    })

    it('takes no more memory when there are eight of them', onLinux, async () => {
      const uploads = Array.from({ length: 8 }, (_, index) => ({ bytes: 30 * MB, chunked: index % 2 === 0 }))
      const peak = await memoryPeakOf(async () => {
        const answers = await Promise.all(uploads.map(upload => send(server, upload)))
        for (const answer of answers) assert.match(answer, /^201 /)
      })
      assert.ok(peak < 120 * MIB, `the process grew by ${Math.round(peak / MIB)} MiB`)
    })
  })
}
