import type { DatabaseSync } from 'node:sqlite'
import type avsc from 'avsc'
import { checkSchema, incompatibleSchema, unknownSchema } from '../checks.ts'

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
      const reader = checkSchema(JSON.parse(schema))
      for (const version of earlier)
        refuseIncompatible(subject, reader, checkSchema(JSON.parse(String(version.schema))))
      return Number(insert.get(subject, earlier.length + 1, schema)?.id)
    },

    schemaById(id: number): string {
      const schema = byId.get(id)?.schema
      if (typeof schema !== 'string') throw unknownSchema(id)
      return schema
    },
  }
}

const refuseIncompatible = (subject: string, reader: avsc.Type, writer: avsc.Type): void => {
  try {
    reader.createResolver(writer)
  } catch (error) {
    throw incompatibleSchema(subject, String(error), error)
  }
}
