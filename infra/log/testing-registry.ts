import type { AvroSchema } from '../../schemas/events/avro.ts'
import { AssayError } from '../runtime/errors.ts'
import type { SchemaRegistry } from './registry.ts'

/** Keeps schemas for as long as the test runs. */
export const createMemoryRegistry = (): SchemaRegistry => {
  const schemas: AvroSchema[] = []
  return {
    register: async (_subject, schema) => schemas.push(schema) - 1,
    schemaById: async id => {
      const schema = schemas[id]
      if (schema === undefined) throw new AssayError('not_found', `There is no schema ${id}.`)
      return schema
    },
  }
}
