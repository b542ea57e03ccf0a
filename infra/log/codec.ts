import type { Schema } from 'avsc'
import avsc from 'avsc'
import type { AvroSchema } from '../../schemas/events/avro.ts'
import { AssayError, isAssayError } from '../runtime/errors.ts'
import { memoizeSuccess } from '../runtime/promises.ts'
import type { SchemaRegistry } from './port.ts'

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

/** The registry is away, and it alone knows the schema of a record. Others who read the topic may know it already. */
export class SchemaUnknown extends AssayError {
  /** Asks again; resolves once records of this schema can be read here. */
  readonly learn: () => Promise<void>

  constructor({ code, publicMessage }: AssayError, learn: () => Promise<void>) {
    super(code, publicMessage)
    this.learn = learn
  }
}

/**
 * Values of one subject as bytes, in Confluent's framing: a zero byte, the schema's id (int32, big endian), Avro's
 * binary encoding.
 * https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#wire-format
 */
export interface Codec<T> {
  /**
   * Resolves once it can write, and read records of every version that there is now, whatever becomes of the registry.
   * Rejects as `encode` and `decode` do.
   */
  ready(): Promise<void>
  /**
   * At once, but for the first time, when the registry is asked. Throws, or rejects, with `invalid_input`, naming the
   * fields, when the value does not fit the schema.
   */
  encode(value: T): Uint8Array | Promise<Uint8Array>
  /**
   * Understands what any version of the subject wrote. Rejects with `invalid_input` when the bytes are no such record:
   * it will never be read; with `SchemaUnknown` while the registry is away that knows what they are. Any other code is
   * the registry's.
   */
  decode(bytes: Uint8Array): Promise<T>
}

interface CodecOptions {
  readonly registry: SchemaRegistry
  /** What the registry keeps the versions of the schema under. */
  readonly subject: string
  readonly schema: AvroSchema
}

const MAGIC = 0
const HEAD = 5

/** `T` is the type that the schema describes (`FromAvro`), possibly narrower. */
export const createCodec = <T>({ registry, subject, schema }: CodecOptions): Codec<T> => {
  const type = readerType(schema)
  let ownId: number | null = null
  const registered = memoizeSuccess(async () => {
    ownId = await registry.register(subject, schema)
    return ownId
  })
  const readers = new Map<number, () => Promise<Read>>()
  /** Those that need not be waited for. */
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
        // A version that this one cannot read is told of when a record comes.
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
        // What the resolver returns has the shape of `schema`, which is T's.
        return read(Buffer.from(bytes.buffer, bytes.byteOffset + HEAD, bytes.byteLength - HEAD)) as T
      } catch (error) {
        throw undecodable(`what follows the frame is not what schema ${id} writes`, error)
      }
    },
  }
}

type Read = (body: Buffer) => unknown

/** Where records are written before it is known how long they are: avsc itself has room for 1 KiB, and writes twice. */
const draft = Buffer.alloc(64 * 1024)

const framed = (id: number, type: avsc.Type, value: unknown): Buffer => {
  draft.writeInt32BE(id, 1)
  // Where there is no room it answers how much is missing, below zero.
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
