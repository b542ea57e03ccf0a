import type avsc from 'avsc'
import type { AvroSchema } from '../../schemas/events/avro.ts'
import { AssayError } from '../runtime/errors.ts'
import { writerType } from './codec.ts'
import type { ConsumeOptions, Offset, TopicDefinition } from './port.ts'

/** Refusals that every adapter shares, so that they have the same words. */

/** Throws `invalid_input` for an impossible number of partitions or retention. */
export const checkTopics = (definitions: readonly TopicDefinition[]): void => {
  for (const { name, partitions, retentionMs } of definitions) {
    if (!Number.isInteger(partitions) || partitions < 1) {
      throw new AssayError('invalid_input', `Topic "${name}" needs a whole number of partitions, at least 1.`)
    }
    if (!Number.isInteger(retentionMs) || retentionMs < 0) {
      throw new AssayError('invalid_input', `Topic "${name}" needs a retention in whole milliseconds, at least 0.`)
    }
  }
}

/** Throws `invalid_input` unless `maxRecords` is a whole number, at least 1. */
export const checkBatchSize = ({ maxRecords }: ConsumeOptions): void => {
  if (Number.isInteger(maxRecords) && maxRecords >= 1) return
  throw new AssayError(
    'invalid_input',
    `A batch needs a whole number of records, at least 1; maxRecords is ${maxRecords}.`,
  )
}

/** Throws `invalid_input` for an offset that is not a whole number from 0 to `highWatermark`. */
export const checkOffset = (offset: Offset, highWatermark: Offset): void => {
  if (Number.isInteger(offset) && offset >= 0 && offset <= highWatermark) return
  throw new AssayError('invalid_input', `Offset ${offset} is not between 0 and ${highWatermark}.`)
}

export const unknownTopic = (name: string): AssayError =>
  new AssayError('not_found', `The log has no topic "${name}". Create it first.`)

export const unknownSchema = (id: number): AssayError =>
  new AssayError('not_found', `The schema registry has no schema ${id}.`)

export const invalidSchema = (reason: string, cause: unknown): AssayError =>
  new AssayError('invalid_input', `The registry cannot keep this schema: ${reason}.`, { cause })

/**
 * Compiles the schema. Throws `invalid_input` for an invalid schema and for one without a name, which clients of a
 * registry do not accept.
 */
export const checkSchema = (schema: AvroSchema): avsc.Type => {
  let type: avsc.Type
  try {
    type = writerType(schema)
  } catch (error) {
    throw invalidSchema(String(error), error)
  }
  if (type.name !== undefined) return type
  throw invalidSchema('it has no name. Take a record, or an enum', undefined)
}

export const incompatibleSchema = (subject: string, reason: string, cause: unknown): AssayError =>
  new AssayError(
    'conflict',
    `The schema cannot read what earlier versions of "${subject}" wrote: ${reason}. ` +
      'Give new fields a default, and do not change types, names or remove symbols.',
    { cause },
  )
