import type { Schema } from 'avsc'
import avsc from 'avsc'
import type { AvroSchema } from '../../schemas/events/avro.ts'
import { AssayError, isAssayError } from '../runtime/errors.ts'
import { memoizeSuccess } from '../runtime/promises.ts'
import type { SchemaRegistry } from './port.ts'

/** Bytes as a `Uint8Array` of their own in both directions; avsc itself takes only Buffers. */
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

/** The type that decodes what the schema wrote. */
export const writerType = (schema: AvroSchema): avsc.Type =>
  // avsc's type declaration asks for mutable arrays; avsc does not change them.
  avsc.Type.forSchema(schema as Schema)

/** The type that our programs use: records are plain objects, bytes are `Uint8Array`s. */
const readerType = (schema: AvroSchema): avsc.Type => {
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

/** The registry is away, and the record's schema is not known here yet. */
export class SchemaUnknown extends AssayError {
  /** Asks the registry again. Resolves once records of this schema can be read here. */
  readonly learn: () => Promise<void>

  constructor({ code, publicMessage }: AssayError, learn: () => Promise<void>) {
    super(code, publicMessage)
    this.learn = learn
  }
}

/**
 * Encodes values of one subject in Confluent's framing: a zero byte, the schema's id (int32, big endian), Avro's binary
 * encoding.
 * https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#wire-format
 *
 * @example
 * const codec = createCodec<SignalRecord>({ registry, subject: 'signal', schema: signalSchema })
 * const bytes = await codec.encode(signal)
 * const same = await codec.decode(bytes)
 */
export interface Codec<T> {
  /**
   * Resolves when the codec can write, and can read every version that exists now, even if the registry goes away.
   * Rejects as `encode` and `decode` do.
   */
  ready(): Promise<void>
  /**
   * Synchronous after the first call, which asks the registry. Throws or rejects with `invalid_input`, naming the
   * fields, when the value does not fit the schema.
   */
  encode(value: T): Uint8Array | Promise<Uint8Array>
  /**
   * Decodes what any version of the subject wrote. Rejects with `invalid_input` when the bytes are no such record and
   * never will be, with `SchemaUnknown` while the registry that knows the schema is away, and else with the registry's
   * error.
   */
  decode(bytes: Uint8Array): Promise<T>
}

interface CodecOptions {
  readonly registry: SchemaRegistry
  /** The registry's name for the versions of the schema. */
  readonly subject: string
  readonly schema: AvroSchema
}

const MAGIC = 0
const HEAD = 5

/** `T` is the type that the schema describes (`FromAvro`), or a narrower type. */
export const createCodec = <T>({ registry, subject, schema }: CodecOptions): Codec<T> => {
  const type = readerType(schema)
  let ownId: number | null = null
  const registered = memoizeSuccess(async () => {
    ownId = await registry.register(subject, schema)
    return ownId
  })
  const readers = new Map<number, () => Promise<Read>>()
  /** Readers that are loaded already. */
  const known = new Map<number, Read>()

  const undecodable = (reason: string, cause?: unknown): AssayError =>
    new AssayError('invalid_input', `The bytes are no record of "${subject}": ${reason}.`, { cause })

  const loadReader = async (id: number): Promise<Read> => {
    const writer = await registry.schemaById(id).catch(error => {
      if (isAssayError(error) && error.code === 'not_found')
        throw undecodable(`the registry has no schema ${id}`, error)
      throw error
    })
    try {
      const resolver = type.createResolver(writerType(writer))
      const read: Read = body => type.fromBuffer(body, resolver)
      known.set(id, read)
      return read
    } catch (error) {
      throw undecodable(`schema ${id} cannot be read as this one`, error)
    }
  }

  const readerOf = (id: number): Promise<Read> => {
    const reader = readers.get(id) ?? memoizeSuccess(() => loadReader(id))
    readers.set(id, reader)
    return reader()
  }

  const learned = (id: number): Promise<Read> =>
    readerOf(id).catch(error => {
      if (!isAssayError(error) || !error.retriable) throw error
      throw new SchemaUnknown(error, async () => void (await readerOf(id)))
    })

  const written = (id: number, value: T): Uint8Array => {
    try {
      return framed(id, type, value)
    } catch {
      // avsc's message quotes the value, which may be personal data.
      throw new AssayError(
        'invalid_input',
        `The value does not fit the schema of "${subject}": ${misfits(type, value)}.`,
      )
    }
  }

  return {
    async ready() {
      await readerOf(await registered())
      for (const id of await registry.idsOf(subject)) {
        // An unreadable version is reported when a record of that version comes.
        await readerOf(id).catch(error => {
          if (!isAssayError(error) || error.code !== 'invalid_input') throw error
        })
      }
    },

    encode: value => (ownId === null ? registered().then(id => written(id, value)) : written(ownId, value)),

    async decode(bytes) {
      if (bytes.byteLength < HEAD) throw undecodable(`it has ${bytes.byteLength} bytes, the frame alone takes ${HEAD}`)
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (view.getUint8(0) !== MAGIC) throw undecodable(`it begins with ${view.getUint8(0)} where ${MAGIC} is due`)
      const id = view.getInt32(1)
      const read = known.get(id) ?? (await learned(id))
      try {
        // The resolver returns the shape of `schema`, which is T's.
        return read(Buffer.from(bytes.buffer, bytes.byteOffset + HEAD, bytes.byteLength - HEAD)) as T
      } catch (error) {
        throw undecodable(`what follows the frame is not what schema ${id} writes`, error)
      }
    },
  }
}

type Read = (body: Buffer) => unknown

/**
 * Scratch space: a record's length is known after it is written. avsc's own buffer has 1 KiB, and avsc writes a longer
 * record twice.
 */
const draft = Buffer.alloc(64 * 1024)

const framed = (id: number, type: avsc.Type, value: unknown): Buffer => {
  draft.writeInt32BE(id, 1)
  // A negative result is the number of missing bytes.
  const end = type.encode(value, draft, HEAD)
  const bytes = Buffer.allocUnsafe(end < 0 ? draft.byteLength - end : end)
  draft.copy(bytes, 0, 0, end < 0 ? HEAD : end)
  if (end < 0) type.encode(value, bytes, HEAD)
  return bytes
}

const misfits = (type: avsc.Type, value: unknown): string => {
  const paths = new Set<string>()
  type.isValid(value, { errorHook: path => paths.add(`/${path.join('/')}`) })
  return [...paths].join(', ')
}
