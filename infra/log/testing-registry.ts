import type { AvroSchema } from '../../schemas/events/avro.ts'
import { AssayError } from '../runtime/errors.ts'
import type { SchemaRegistry } from './port.ts'

/** Keeps schemas for as long as the test runs. */
export const createMemoryRegistry = (): SchemaRegistry => {
  const schemas: AvroSchema[] = []
  const subjects: string[] = []
  return {
    register: async (subject, schema) => {
      subjects.push(subject)
      return schemas.push(schema) - 1
    },
    idsOf: async subject => [...subjects.keys()].filter(id => subjects[id] === subject),
    schemaById: async id => {
      const schema = schemas[id]
      if (schema === undefined) throw new AssayError('not_found', `There is no schema ${id}.`)
      return schema
    },
  }
}
