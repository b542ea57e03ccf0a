import type { AvroSchema } from '../../schemas/events/avro.ts'

/**
 * Where the schemas of records are kept, so that a reader of another version understands them. Follows the model of
 * Confluent's registry: a schema has an id of its own, a subject has versions.
 */
export interface SchemaRegistry {
  /**
   * The id of this schema under the subject; a schema that is there already keeps its id. Rejects with `conflict` when a
   * reader with this schema could not read what earlier versions of the subject wrote; with `invalid_input` for what is no
   * schema, and for one without a name (the clients of Confluent's registry take named types alone).
   */
  register(subject: string, schema: AvroSchema): Promise<number>
  /** The ids of all versions of a subject; none for one that nobody brought. */
  idsOf(subject: string): Promise<readonly number[]>
  /** Rejects with `not_found` for an id that was never given out. */
  schemaById(id: number): Promise<AvroSchema>
}
