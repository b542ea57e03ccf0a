import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AvroRecord, AvroSchema } from '../../../schemas/events/avro.ts'
import { connectEmbeddedLog } from './index.ts'
import { startFor, temporaryDirectory } from './testing.ts'

const thing = (...fields: AvroRecord['fields']): AvroRecord => ({
  type: 'record',
  name: 'Thing',
  doc: 'A thing.',
  fields,
})
const name = { name: 'name', type: 'string', doc: 'Its name.' } as const
const size = { name: 'size', type: 'long', default: 0, doc: 'Its size.' } as const

test('A schema keeps its id for every client and after the log was closed.', async t => {
  const directory = await temporaryDirectory(t)
  const first = await startFor(t, { directory })
  const id = await first.log.registry.register('thing', thing(name))
  const newer = await first.log.registry.register('thing', thing(name, size))
  const other = connectEmbeddedLog(first.connect())
  assert.notEqual(newer, id)
  assert.equal(await other.registry.register('thing', thing(name)), id)
  assert.deepEqual(await other.registry.schemaById(newer), thing(name, size))
  await other.close()
  await first.stop()
  const second = await startFor(t, { directory })
  assert.deepEqual(await second.log.registry.schemaById(id), thing(name))
  assert.equal(await second.log.registry.register('thing', thing(name, size)), newer)
})

test('A schema that cannot read what was written before is refused, with what to do.', async t => {
  const { log } = await startFor(t, { directory: await temporaryDirectory(t) })
  const colour = (...symbols: string[]): AvroRecord['fields'][number] => ({
    name: 'colour',
    type: { type: 'enum', name: 'Colour', symbols },
    doc: 'Its colour.',
  })
  await log.registry.register('thing', thing(name, colour('red', 'green')))
  const { default: _none, ...required } = size
  const incompatible: AvroSchema[] = [
    thing(name, colour('red', 'green'), required),
    thing({ ...name, type: 'long' }, colour('red', 'green')),
    thing(name, colour('red')),
    'string',
  ]
  for (const schema of incompatible) {
    await assert.rejects(log.registry.register('thing', schema), { code: 'conflict', message: /"thing".*default/s })
  }
  await log.registry.register('thing', thing(name, colour('red', 'green', 'blue'), size))
  await log.registry.register('other', 'string')
})

test('A schema that went and came back must still read the versions in between.', async t => {
  const { log } = await startFor(t, { directory: await temporaryDirectory(t) })
  await log.registry.register('thing', thing(name))
  await log.registry.register('thing', thing(name, size))
  await assert.rejects(log.registry.register('thing', thing(name, { ...size, type: 'string', default: '' })), {
    code: 'conflict',
  })
})

test('What is no schema, and an id that was never given out, are refused.', async t => {
  const { log } = await startFor(t, { directory: await temporaryDirectory(t) })
  await assert.rejects(log.registry.register('thing', { type: 'map', values: [['null']] }), { code: 'invalid_input' })
  await assert.rejects(log.registry.schemaById(99), { code: 'not_found' })
})
