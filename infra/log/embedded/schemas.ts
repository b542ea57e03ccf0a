import type { DatabaseSync } from 'node:sqlite'
import avsc, { type Schema } from 'avsc'
import { AssayError } from '../../runtime/errors.ts'

/** The schema registry of the embedded log: a table of its file. Schemas travel as JSON text. */
export const createSchemas = (database: DatabaseSync) => {
  const insert = database.prepare('insert into schemas (subject, version, schema) values (?, ?, ?) returning id')
  const versions = database.prepare('select id, schema from schemas where subject = ? order by version')
  const byId = database.prepare('select schema from schemas where id = ?')

  return {
    /** Inside a transaction. */
    register(subject: string, schema: string): number {
      const earlier = versions.all(subject)
      const same = earlier.find(version => version.schema === schema)
      if (same !== undefined) return Number(same.id)
      const reader = parse(schema)
      for (const version of earlier) refuseIncompatible(subject, reader, parse(String(version.schema)))
      return Number(insert.get(subject, earlier.length + 1, schema)?.id)
    },

    schemaById(id: number): string {
      const schema = byId.get(id)?.schema
      if (typeof schema !== 'string') throw new AssayError('not_found', `The schema registry has no schema ${id}.`)
      return schema
    },
  }
}

const parse = (schema: string): avsc.Type => {
  try {
    // avsc checks the schema itself; what it gets here was JSON until now.
    return avsc.Type.forSchema(JSON.parse(schema) as Schema)
  } catch (error) {
    throw new AssayError('invalid_input', `This is no Avro schema: ${String(error)}`, { cause: error })
  }
}

const refuseIncompatible = (subject: string, reader: avsc.Type, writer: avsc.Type): void => {
  try {
    reader.createResolver(writer)
  } catch (error) {
    throw new AssayError(
      'conflict',
      `The schema cannot read what earlier versions of "${subject}" wrote: ${String(error)}. ` +
        'Give new fields a default, and do not change types, names or remove symbols.',
      { cause: error },
    )
  }
}
