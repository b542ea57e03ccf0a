import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventually } from '../../runtime/testing.ts'
import { startReader } from '../conformance/reading.ts'
import { startFor, temporaryDirectory } from './testing.ts'

const writer = fileURLToPath(new URL('./fixtures/writer.ts', import.meta.url))

/** Lets the writer work until it has had `count` acknowledgements, kills it, and answers what was acknowledged. */
const writeAndKill = async (directory: string, from: number, count: number): Promise<string[]> => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', writer, directory, `${from}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    output += chunk
    if (output.split('\n').length > count) child.kill('SIGKILL')
  })
  const [, signal] = await once(child, 'close')
  assert.equal(signal, 'SIGKILL')
  return output.split('\n').slice(0, -1)
}

test('kill -9 at any moment loses nothing that was acknowledged, repeats nothing and leaves a log that opens.', async t => {
  const directory = await temporaryDirectory(t)
  const acknowledged: string[] = []
  for (const [round, count] of [1, 40, 300, 900].entries()) {
    acknowledged.push(...(await writeAndKill(directory, round * 1_000_000, count)))
  }
  const { log } = await startFor(t, { directory })
  const reader = await startReader(log, { group: 'check', topics: ['numbers'], maxRecords: 1000 })
  await eventually('everything was read', async () =>
    (await log.lag('check')).every(({ committed, highWatermark }) => committed === highWatermark),
  )
  const stored = reader.texts()
  const unique = new Set(stored)
  assert.equal(unique.size, stored.length)
  assert.deepEqual(
    acknowledged.filter(text => !unique.has(text)),
    [],
  )
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    const numbers = stored.filter(text => text.startsWith(`${key}:`)).map(text => Number(text.slice(2)))
    assert.deepEqual(
      numbers,
      [...numbers].sort((one, other) => one - other),
    )
  }
  const offsets = Map.groupBy(
    reader.batches.flatMap(batch => batch.records),
    one => one.partition,
  )
  for (const records of offsets.values()) assert.ok(records.every((one, index) => one.offset === index))
})
