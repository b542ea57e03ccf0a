import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createLogger } from '../../infra/runtime/logger.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { createFakeSources, postSignal, startTestEdge } from '../testing.ts'
import { openKeptCounts } from './kept-counts.ts'
import { createRateLimit } from './rate-limit.ts'

const logger = createLogger({ level: 'silent', program: 'test' })

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-limits-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const MAIL = { requests: 2, seconds: 3600, per: 'tenant' } as const

test('a limit of an hour goes on after a program that was killed, as far as it was saved', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const file = join(folder, 'killed.json')
  const limit = createRateLimit('mail', MAIL, { valkey: null, kept: await openKeptCounts(file, logger) })
  await limit.consume('tenant')
  await limit.consume('tenant')
  t.mock.timers.tick(5000)
  await eventually('the counts are saved', async () =>
    (await readFile(file, 'utf8').catch(() => '')).includes('tenant'),
  )

  const kept = await openKeptCounts(file, logger)
  const again = createRateLimit('mail', MAIL, { valkey: null, kept })
  assert.equal((await again.consume('tenant')).kind, 'refusal')
  assert.equal((await again.consume('another')).kind, 'within')
  await kept.stop()
})

test('an edge goes on with every limit after a stop, and counts from nothing where its file is damaged', async () => {
  const limitsFile = join(folder, 'stopped.json')
  const { loader: sources, add } = createFakeSources()
  const { id } = add()
  const left = async () => {
    const edge = await startTestEdge({}, { limitsFile, sources })
    try {
      const response = await postSignal(edge.url, id, { text: 'It hangs.' })
      return response.headers.get('ratelimit')?.split(';')[1]
    } finally {
      await edge.stop()
    }
  }
  assert.equal(await left(), 'r=99')
  assert.equal(await left(), 'r=98')
  await writeFile(limitsFile, '{"at":')
  assert.equal(await left(), 'r=99')
})
