import avsc, { type Schema } from 'avsc'
import type { AvroSchema } from '../../schemas/events/avro.ts'

/** Bytes as `Uint8Array`s of their own, both ways; avsc itself knows Buffers only. */
class Bytes extends avsc.types.LogicalType {
  protected override _fromValue(buffer: Buffer): Uint8Array {
    return new Uint8Array(buffer)
  }
  protected override _toValue(value: unknown): Buffer | undefined {
    return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : undefined
  }
  protected override _resolve(writer: avsc.Type): ((buffer: Buffer) => Uint8Array) | undefined {
    return avsc.Type.isType(writer, 'bytes') ? this._fromValue : undefined
  }
}

/** The schema as it stands, to understand what it wrote. */
export const writerType = (schema: AvroSchema): avsc.Type =>
  // avsc's own type of a schema wants arrays that can be changed; it does not change them.
  avsc.Type.forSchema(schema as Schema)

/** The schema as our programs use it: records are plain objects, bytes are `Uint8Array`s. */
export const readerType = (schema: AvroSchema): avsc.Type => {
  const type = avsc.Type.forSchema(schema as Schema, {
    typeHook: (part, options) => (part === 'bytes' ? new Bytes({ type: 'bytes' }, options) : undefined),
    omitRecordMethods: true,
  })
  usePlainObjects(type, new Set())
  return type
}

const usePlainObjects = (type: avsc.Type, seen: Set<avsc.Type>): void => {
  if (seen.has(type)) return
  seen.add(type)
  if (type instanceof avsc.types.RecordType) {
    type.recordConstructor.prototype = Object.prototype
    for (const field of type.fields) usePlainObjects(field.type, seen)
  }
  if (type instanceof avsc.types.UnwrappedUnionType) for (const branch of type.types) usePlainObjects(branch, seen)
  if (type instanceof avsc.types.ArrayType) usePlainObjects(type.itemsType, seen)
  if (type instanceof avsc.types.MapType) usePlainObjects(type.valuesType, seen)
}
