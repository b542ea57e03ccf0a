/** Avro schemas as values (https://avro.apache.org/docs/1.12.0/specification/ ): the part of Avro that records use. */
export type AvroSchema = AvroPrimitive | AvroRecord | AvroEnum | AvroMap | AvroArray | readonly AvroSchema[]

type AvroPrimitive = 'null' | 'boolean' | 'int' | 'long' | 'float' | 'double' | 'bytes' | 'string'

interface AvroField {
  readonly name: string
  readonly doc: string
  readonly type: AvroSchema
  readonly default?: unknown
}

export interface AvroRecord {
  readonly type: 'record'
  readonly name: string
  readonly namespace?: string
  readonly doc: string
  readonly fields: readonly AvroField[]
}

interface AvroEnum {
  readonly type: 'enum'
  readonly name: string
  readonly doc?: string
  readonly symbols: readonly string[]
}

interface AvroMap {
  readonly type: 'map'
  readonly values: AvroSchema
}

interface AvroArray {
  readonly type: 'array'
  readonly items: AvroSchema
}

interface Primitives {
  null: null
  boolean: boolean
  int: number
  long: number
  float: number
  double: number
  bytes: Uint8Array
  string: string
}

/** The TypeScript type of a schema's values. A schema that contradicts its declared type does not compile. */
export type FromAvro<Schema> = Schema extends keyof Primitives
  ? Primitives[Schema]
  : Schema extends readonly (infer Branch)[]
    ? FromAvro<Branch>
    : Schema extends { readonly type: 'record'; readonly fields: infer Fields extends readonly AvroField[] }
      ? { readonly [Field in Fields[number] as Field['name']]: FromAvro<Field['type']> }
      : Schema extends { readonly type: 'enum'; readonly symbols: readonly (infer Word)[] }
        ? Word
        : Schema extends { readonly type: 'map'; readonly values: infer Values }
          ? Readonly<Record<string, FromAvro<Values>>>
          : Schema extends { readonly type: 'array'; readonly items: infer Items }
            ? readonly FromAvro<Items>[]
            : never
