import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../runtime/testing.ts'
import { createDaemon, stopDaemons } from './process.ts'

const directory = await mkdtemp(join(tmpdir(), 'assay-process-'))
after(() => rm(directory, { recursive: true }))

const STAYS = { command: process.execPath, parameters: ['-e', 'setInterval(() => {}, 1000)'] }

test('a process is known again by whoever looks into its directory, and ends when told', async () => {
  const place = { directory, name: 'stays' }
  await createDaemon(place).start(STAYS)
  assert.equal(createDaemon(place).isRunning(), true)
  await stopDaemons(directory)
  assert.equal(createDaemon(place).isRunning(), false)
})

test('a later process that was given the same id is neither taken for ours nor ended', async () => {
  const place = { directory, name: 'recycled' }
  const other = spawn(STAYS.command, STAYS.parameters)
  const file = join(directory, 'recycled.process.json')
  await writeFile(file, JSON.stringify({ pid: other.pid, startedAt: '1', stopSignal: 'SIGTERM' }))
  assert.equal(createDaemon(place).isRunning(), false)
  await createDaemon(place).stop()
  assert.equal(other.exitCode ?? other.signalCode, null)
  await assert.rejects(readFile(file))
  other.kill()
  assert.deepEqual(await once(other, 'exit'), [null, 'SIGTERM'])
})

test('what a process said last can be read after its end', async () => {
  const daemon = createDaemon({ directory, name: 'speaks' })
  await daemon.start({
    command: process.execPath,
    parameters: ['-e', 'console.error("no such setting"); process.exit(3)'],
  })
  await eventually('it has ended', () => !daemon.isRunning())
  assert.match(daemon.lastWords(), /no such setting/)
  await daemon.stop()
})

test('starting what runs already starts nothing', async () => {
  const daemon = createDaemon({ directory, name: 'once' })
  await daemon.start(STAYS)
  const first = await readFile(join(directory, 'once.process.json'), 'utf8')
  await daemon.start(STAYS)
  assert.equal(await readFile(join(directory, 'once.process.json'), 'utf8'), first)
  await daemon.stop()
})
