import assert from 'node:assert/strict'
import { test } from 'node:test'
import avsc, { type Schema } from 'avsc'
import { frozenVersions, SUBJECTS } from '../../docs/frozen-schemas.ts'
import type { MetricPointId, NodeId, SignalId, SourceId, TenantId, WorkspaceId } from '../domain/ids.ts'
import type { ActivityRecord, activitySchema } from './activity.ts'
import type { AvroSchema, FromAvro } from './avro.ts'
import type { MetricPointRecord, metricPointSchema } from './metric-point.ts'
import type { signalSchema } from './signal.avsc.ts'
import type { SignalRecord } from './signal.ts'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
/** Avro knows no branded ids. */
type Plain<T> = T extends SignalId | TenantId | WorkspaceId | SourceId | NodeId | MetricPointId
  ? string
  : T extends Uint8Array
    ? T
    : T extends object
      ? { readonly [Key in keyof T]: Plain<T[Key]> }
      : T

test('The Avro schemas and the TypeScript records describe the same values.', () => {
  // The compiler is what checks: a field that differs makes one of these `false`.
  const signal: Same<Plain<SignalRecord>, FromAvro<typeof signalSchema>> = true
  const activity: Same<
    { readonly [Key in keyof ActivityRecord]: ActivityRecord[Key] extends number ? number : string },
    FromAvro<typeof activitySchema>
  > = true
  const metricPoint: Same<Plain<MetricPointRecord>, FromAvro<typeof metricPointSchema>> = true
  assert.ok(signal && activity && metricPoint)
})

// avsc's own type of a schema wants arrays that can be changed; it does not change them.
const typeOf = (schema: AvroSchema): avsc.Type => avsc.Type.forSchema(schema as Schema)

const subjects = Object.entries(SUBJECTS)
for (const [subject, schema] of subjects) {
  test(`The newest frozen version of "${subject}" is the schema of today: \`npm run docs\` freezes a change.`, () => {
    assert.deepEqual(frozenVersions(subject).at(-1), JSON.parse(JSON.stringify(schema)))
  })

  test(`Today's schema of "${subject}" reads what every earlier version wrote.`, () => {
    for (const version of frozenVersions(subject)) {
      const writer = typeOf(version)
      const reader = typeOf(schema)
      const resolver = reader.createResolver(writer)
      for (let sample = 0; sample < 20; sample++) {
        const value = reader.fromBuffer(writer.toBuffer(writer.random()), resolver)
        assert.ok(reader.isValid(value))
      }
    }
  })
}

/** Every record in a schema, with the records inside it. */
const recordsIn = (schema: AvroSchema): { name: string; fields: readonly { name: string; doc: string }[] }[] => {
  if (typeof schema === 'string') return []
  if (!('type' in schema)) return schema.flatMap(recordsIn)
  return schema.type === 'record' ? [schema, ...schema.fields.flatMap(field => recordsIn(field.type))] : []
}

test('Every field says what it means.', () => {
  for (const [, schema] of subjects) {
    for (const { name, fields } of recordsIn(schema)) {
      for (const field of fields) assert.match(field.doc, /\.$/, `${name}.${field.name}`)
    }
  }
})
