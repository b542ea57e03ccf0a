import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readEngines } from './settings.ts'

test('a name in the file of the engines that is nearly a setting is named with what was meant', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-move-'))
  t.after(() => rm(directory, { recursive: true }))
  const file = join(directory, 'engines.env')
  const lines = ['KAFKA_BROKER=localhost:9092', 'KAFKA_TSL=true', 'VALKEY_URL=redis://localhost', 'BASE_URL=http://a']
  await writeFile(file, lines.join('\n'))
  const write = t.mock.method(process.stderr, 'write', () => true)
  assert.throws(() => readEngines(file), /^AssayError: The configuration is not valid\.\nKAFKA_BROKERS is not set\./)
  const said = write.mock.calls.map(({ arguments: [text] }) => String(text))
  write.mock.restore()
  assert.deepEqual(said, [
    `${file}: KAFKA_BROKER is no setting and is not read. Did you mean KAFKA_BROKERS?\n`,
    `${file}: KAFKA_TSL is no setting and is not read. Did you mean KAFKA_TLS?\n`,
  ])
})
