import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { AvroRecord, AvroSchema } from '../../../schemas/events/avro.ts'
import type { SchemaRegistry } from '../port.ts'
import { uniqueName } from './reading.ts'

/** Gives the registry under test, seen by two clients. */
export type RegistryHarness = (t: TestContext) => Promise<readonly [SchemaRegistry, SchemaRegistry]>

export const thing = (...fields: AvroRecord['fields']): AvroRecord => ({
  type: 'record',
  name: 'Thing',
  doc: 'A thing.',
  fields,
})
export const nameField = { name: 'name', type: 'string', doc: 'Its name.' } as const
export const sizeField = { name: 'size', type: 'long', default: 0, doc: 'Its size.' } as const

/** Everything that the port of the schema registry promises, tried on one adapter. */
export const describeRegistryConformance = (adapter: string, harness: RegistryHarness): void => {
  describe(`The schema registry contract, kept by ${adapter}`, () => {
    test('A schema keeps its id, for every client.', async t => {
      const subject = uniqueName('thing')
      const [registry, other] = await harness(t)
      const id = await registry.register(subject, thing(nameField))
      const newer = await registry.register(subject, thing(nameField, sizeField))
      assert.notEqual(newer, id)
      assert.equal(await other.register(subject, thing(nameField)), id)
      assert.deepEqual(await other.schemaById(newer), thing(nameField, sizeField))
      assert.deepEqual(await other.schemaById(id), thing(nameField))
      assert.deepEqual(await other.idsOf(subject), [id, newer])
      assert.deepEqual(await other.idsOf(uniqueName('nobody-brought')), [])
    })

    test('Programs that bring a new subject at the same moment all get its one id.', async t => {
      const clients = await harness(t)
      const callers = Array.from({ length: 10 }, () => clients).flat()
      for (const subject of Array.from({ length: 10 }, () => uniqueName('thing'))) {
        const ids = await Promise.all(callers.map(client => client.register(subject, thing(nameField))))
        assert.equal(new Set(ids).size, 1)
      }
    })

    test('A schema that cannot read what was written before is refused, with what to do.', async t => {
      const [registry] = await harness(t)
      const subject = uniqueName('thing')
      const colour = (...symbols: string[]): AvroRecord['fields'][number] => ({
        name: 'colour',
        type: { type: 'enum', name: 'Colour', symbols },
        doc: 'Its colour.',
      })
      await registry.register(subject, thing(nameField, colour('red', 'green')))
      const { default: _none, ...required } = sizeField
      const incompatible: AvroSchema[] = [
        thing(nameField, colour('red', 'green'), required),
        thing({ ...nameField, type: 'long' }, colour('red', 'green')),
        thing(nameField, colour('red')),
        { type: 'enum', name: 'Thing', symbols: ['name'] },
      ]
      const message = new RegExp(`"${subject}".*default`, 's')
      for (const schema of incompatible) {
        await assert.rejects(registry.register(subject, schema), { code: 'conflict', message })
      }
      await registry.register(subject, thing(nameField, colour('red', 'green', 'blue'), sizeField))
      await registry.register(uniqueName('other'), { type: 'enum', name: 'Thing', symbols: ['name'] })
    })

    test('A schema that went and came back must still read the versions in between.', async t => {
      const [registry] = await harness(t)
      const subject = uniqueName('thing')
      await registry.register(subject, thing(nameField))
      await registry.register(subject, thing(nameField, sizeField))
      await registry.register(subject, thing(nameField))
      await assert.rejects(
        registry.register(subject, thing(nameField, { ...sizeField, type: 'string', default: '' })),
        {
          code: 'conflict',
        },
      )
    })

    test('What is no schema, or has no name, and an id that was never given out, are refused.', async t => {
      const [registry] = await harness(t)
      const refused: [AvroSchema, RegExp][] = [
        [thing({ ...nameField, type: { type: 'map', values: [['null']] } }), /cannot keep this schema/],
        ['string', /no name/],
        [{ type: 'map', values: 'string' }, /no name/],
      ]
      for (const [schema, message] of refused) {
        await assert.rejects(registry.register(uniqueName('thing'), schema), { code: 'invalid_input', message })
      }
      await assert.rejects(registry.schemaById(2_000_000_000), { code: 'not_found' })
    })
  })
}
