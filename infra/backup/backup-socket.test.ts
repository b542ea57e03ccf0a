import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { createLogger } from '../runtime/logger.ts'
import { askForBackup, serveBackups } from './backup-socket.ts'

const logger = createLogger({ level: 'silent', program: 'test' })

test('whoever stops the backups has the stores to itself: the one under way has ended', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-backups-'))
  t.after(() => rm(directory, { recursive: true }))
  const stream = new PassThrough()
  const copy = Promise.withResolvers<void>()
  const backups = await serveBackups(
    directory,
    async () => ({
      stream,
      async stop() {
        stream.destroy()
        await copy.promise
      },
    }),
    logger,
  )
  stream.write('the beginning')
  const reader = await askForBackup(directory)
  assert.ok(reader)
  const broken = reader.toArray().then(
    () => 'whole',
    () => 'broken off',
  )
  let isStopped = false
  const stopped = backups.stop().then(() => {
    isStopped = true
  })
  assert.equal(await broken, 'broken off')
  await new Promise(resolve => setTimeout(resolve, 50))
  assert.equal(isStopped, false, 'the copy still reads the stores')
  copy.resolve()
  await stopped
})
