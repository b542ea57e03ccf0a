import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type SourceId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { type ActivityRecord, activity, activitySchema } from '../../schemas/events/activity.ts'
import type { AvroRecord, AvroSchema } from '../../schemas/events/avro.ts'
import { signalSchema } from '../../schemas/events/signal.avsc.ts'
import { receivedSignal, type SignalRecord } from '../../schemas/events/signal.ts'
import { AssayError } from '../runtime/errors.ts'
import { createCodec, SchemaUnknown } from './codec.ts'
import type { SchemaRegistry } from './port.ts'

const memoryRegistry = (): SchemaRegistry & { readonly schemas: AvroSchema[] } => {
  const schemas: AvroSchema[] = []
  return {
    schemas,
    idsOf: async () => [...schemas.keys()],
    register: async (_subject, schema) => {
      const known = schemas.indexOf(schema)
      return known === -1 ? schemas.push(schema) - 1 : known
    },
    schemaById: async id => {
      const schema = schemas[id]
      if (schema === undefined) throw new AssayError('not_found', `No schema ${id}.`)
      return schema
    },
  }
}

const signalCodec = (registry: SchemaRegistry) =>
  createCodec<SignalRecord>({ registry, subject: 'signal', schema: signalSchema })

const received = (): SignalRecord =>
  receivedSignal(
    {
      signal_id: newId(),
      tenant_id: newId<TenantId>(),
      workspace_id: newId<WorkspaceId>(),
      source_id: newId<SourceId>(),
      channel: 'webhook',
      received_at: 1_700_000_000_123,
    },
    { format: 'signal', body: '{"text":"Das Exportieren schlägt fehl 🙁"}' },
  )

const complete = (): SignalRecord => ({
  ...received(),
  source_id: null,
  received: null,
  content: {
    text: 'Export fails.',
    text_hash: 'ab'.repeat(32),
    event: 'bug_report',
    source: 'helpdesk',
    source_url: null,
    actor_name: null,
    actor_email: '[EMAIL]',
    actor_key: 'cd'.repeat(32),
    signal_origin: 'customer',
    actor_role: 'user',
    occurred_at: 1_699_999_999_000,
    metadata: '{}',
    cut_signature: null,
    cut_quoted: 'Which export?',
    cut_footer: null,
    cut_omitted: 7,
  },
  scrubbed: { version: '1', replaced: { EMAIL: 2, PHONE: 0 } },
  embedding: { model: 'built-in', vector: new Uint8Array(new Float32Array(1024).fill(1 / 32).buffer), own_text: 0 },
  anchor: { node_id: null, score: 0.79 },
  deduplication: { checked_through: 41 },
  classification: { label: 'problem', confidence: 0.5, version: '1', perhaps: null },
  insertion: { number: 42 },
})

test('A signal comes out as it went in, whichever parts it has.', async () => {
  const codec = signalCodec(memoryRegistry())
  for (const signal of [received(), complete()])
    assert.deepEqual(await codec.decode(await codec.encode(signal)), signal)
})

test('The bytes of a vector can be looked at as floats without a copy.', async () => {
  const codec = signalCodec(memoryRegistry())
  const vector = (await codec.decode(await codec.encode(complete()))).embedding?.vector
  assert.ok(vector)
  assert.equal(new Float32Array(vector.buffer, vector.byteOffset, 1024)[1023], 1 / 32)
})

test('An activity comes out as it went in.', async () => {
  const codec = createCodec<ActivityRecord>({ registry: memoryRegistry(), subject: 'activity', schema: activitySchema })
  const event = activity({
    event_id: newId(),
    workspace_id: newId(),
    kind: 'tool.call',
    occurred_at: 1,
    duration_ms: 0.25,
  })
  assert.deepEqual(await codec.decode(await codec.encode(event)), event)
})

test('The frame is a zero byte and the id of the schema, big endian.', async () => {
  const registry = memoryRegistry()
  for (let taken = 0; taken < 258; taken++) registry.schemas.push('null')
  const bytes = await createCodec<string>({ registry, subject: 'word', schema: 'string' }).encode('hi')
  assert.deepEqual([...bytes], [0, 0, 0, 1, 2, 4, 104, 105])
})

const first = {
  type: 'record',
  name: 'Thing',
  doc: 'A thing.',
  fields: [{ name: 'name', type: 'string', doc: 'Its name.' }],
} as const satisfies AvroRecord
const second = {
  ...first,
  fields: [...first.fields, { name: 'size', type: ['null', 'long'], default: null, doc: 'Its size.' }],
} as const satisfies AvroRecord

test('A newer program reads what an older one wrote, and the other way round.', async () => {
  const registry = memoryRegistry()
  const older = createCodec<{ name: string }>({ registry, subject: 'thing', schema: first })
  const newer = createCodec<{ name: string; size: number | null }>({ registry, subject: 'thing', schema: second })
  assert.deepEqual(await newer.decode(await older.encode({ name: 'cup' })), { name: 'cup', size: null })
  assert.deepEqual(await older.decode(await newer.encode({ name: 'cup', size: 3 })), { name: 'cup' })
})

test('Bytes that are no record are refused for good, each with its reason.', async () => {
  const registry = memoryRegistry()
  const codec = createCodec<{ name: string }>({ registry, subject: 'thing', schema: first })
  const good = await codec.encode({ name: 'cup' })
  await registry.register('other', { type: 'map', values: 'long' })
  const cases: [Uint8Array, RegExp][] = [
    [new Uint8Array(), /has 0 bytes/],
    [Uint8Array.of(0, 0, 0), /has 3 bytes/],
    [Uint8Array.of(123, ...good.subarray(1)), /begins with 123/],
    [Uint8Array.of(0, 0, 0, 9, 9, 2), /no schema 2313/],
    [Uint8Array.of(0, 0, 0, 0, 1, 0), /schema 1 cannot be read/],
    [good.subarray(0, good.length - 1), /not what schema 0 writes/],
    [Uint8Array.of(...good, 1), /not what schema 0 writes/],
  ]
  for (const [bytes, message] of cases) {
    await assert.rejects(codec.decode(bytes), { code: 'invalid_input', retriable: false, message })
  }
})

test('A value that does not fit is refused by the name of the field, without its content.', async () => {
  const wrong = { ...complete(), classification: { label: 'secret words', confidence: 'high', version: '1' } }
  // The compiler would refuse it; a value from outside may still look like this.
  await assert.rejects(
    async () => signalCodec(memoryRegistry()).encode(wrong as unknown as SignalRecord),
    error => {
      assert.ok(error instanceof AssayError)
      assert.equal(error.code, 'invalid_input')
      assert.match(error.message, /classification/)
      assert.doesNotMatch(error.message, /secret words/)
      return true
    },
  )
})

const gone = new AssayError('unavailable', 'The registry is away.')

/** A registry that is away now and then. */
const flaky = () => {
  const registry = memoryRegistry()
  const state = { away: true }
  const unlessAway = <T>(ask: () => Promise<T>) => (state.away ? Promise.reject(gone) : ask())
  const asked: SchemaRegistry = {
    register: (subject, schema) => unlessAway(() => registry.register(subject, schema)),
    idsOf: subject => unlessAway(() => registry.idsOf(subject)),
    schemaById: id => unlessAway(() => registry.schemaById(id)),
  }
  return { registry, state, codec: createCodec<{ name: string }>({ registry: asked, subject: 'thing', schema: first }) }
}

test('A registry that is away is asked again, and is no fault of the record.', async () => {
  const { registry, state, codec } = flaky()
  const bytes = await createCodec<{ name: string }>({ registry, subject: 'thing', schema: first }).encode({
    name: 'cup',
  })
  await assert.rejects(async () => codec.encode({ name: 'cup' }), gone)
  const unknown = await codec.decode(bytes).catch(error => error)
  assert.ok(unknown instanceof SchemaUnknown)
  assert.equal(unknown.code, 'unavailable')
  await assert.rejects(unknown.learn(), gone)
  state.away = false
  await unknown.learn()
  state.away = true
  assert.deepEqual(await codec.decode(bytes), { name: 'cup' })
  state.away = false
  assert.deepEqual(await codec.encode({ name: 'cup' }), bytes)
})

test('A codec that is ready writes its own records and reads those of every version without the registry.', async () => {
  const { registry, state, codec } = flaky()
  const older = createCodec<{ name: string }>({ registry, subject: 'thing', schema: { ...first, doc: 'As it was.' } })
  const bytes = await older.encode({ name: 'jug' })
  await assert.rejects(codec.ready(), gone)
  state.away = false
  await codec.ready()
  state.away = true
  assert.deepEqual(await codec.decode(await codec.encode({ name: 'cup' })), { name: 'cup' })
  assert.deepEqual(await codec.decode(bytes), { name: 'jug' })
})
