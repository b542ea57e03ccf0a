import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeRegistryConformance, nameField, sizeField, thing } from '../conformance/registry.ts'
import { connectEmbeddedLog } from './index.ts'
import { startFor, temporaryDirectory } from './testing.ts'

describeRegistryConformance('the embedded log', async t => {
  const { log, connect } = await startFor(t, { directory: await temporaryDirectory(t) })
  return [log.registry, connectEmbeddedLog(connect()).registry]
})

test('A schema keeps its id after the log was closed.', async t => {
  const directory = await temporaryDirectory(t)
  const first = await startFor(t, { directory })
  const id = await first.log.registry.register('thing', thing(nameField))
  const newer = await first.log.registry.register('thing', thing(nameField, sizeField))
  await first.stop()
  const second = await startFor(t, { directory })
  assert.deepEqual(await second.log.registry.schemaById(id), thing(nameField))
  assert.equal(await second.log.registry.register('thing', thing(nameField, sizeField)), newer)
})
