import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createLogger } from '../runtime/logger.ts'
import { createArchive } from './archive.ts'
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

test('a reader that goes away breaks the copy off, wherever that is, and nothing else', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-archive-'))
  t.after(() => rm(directory, { recursive: true }))
  const path = join(directory, 'file')
  await writeFile(path, Buffer.alloc(1_000_000))
  // An error that nobody catches would end the process that is copied, and fails this test.
  for (let turns = 0; turns < 40; turns += 1) {
    const archive = createArchive()
    archive.stream.once('error', () => {})
    const copied = archive.file('log/file', path).then(
      () => 'whole',
      () => 'broken off',
    )
    archive.stream.resume()
    for (let turn = 0; turn < turns; turn += 1) await setImmediate()
    archive.stream.destroy(new Error('the disk of the backup is full'))
    assert.match(await copied, /^(whole|broken off)$/)
  }
})
