import { pushPayload } from '../../../schemas/http/code-host.ts'
import { connectionBody } from '../../../schemas/http/connection.ts'
import { signalBody } from '../../../schemas/http/signal.ts'

/** What a hostile tenant writes: texts and metadata that cost the steps most, as long as the edge takes them. */

/**
 * A text made of so many units, which number tells apart from others: a repeat would be dropped early, which is cheap.
 */
type Text = (units: number, number: number) => string

const repeated =
  (unit: string): Text =>
  (units, number) =>
    `${number} ${unit.repeat(units)}`

/** Words that no other text has: the most for the embedder, for the full-text index and for the classifier. */
const words: Text = (units, number) =>
  Array.from({ length: units }, (_, place) => ((number + 1) * 1_000_003 + place * 7919).toString(36)).join(' ')

const TEXTS: readonly Text[] = [
  words,
  repeated(`${'"(1'.repeat(23)}"____________\na-tel `),
  repeated('+49 (30) 1234-5678 4111 1111 1111 1111 a@b.co 10.0.0.1 '),
  repeated('the export crashes with an error, please add an option. '),
  repeated('(((([[[[{{{{<<<<'),
  repeated('1-2-3-4-5-6-7-8-9-0-'),
]

/** Metadata of so many units. */
type Metadata = (units: number) => Readonly<Record<string, unknown>>

const keyed =
  (value: (place: number) => unknown): Metadata =>
  units =>
    Object.fromEntries(Array.from({ length: units }, (_, place) => [`key-${place}`, value(place)]))

const METADATA: readonly Metadata[] = [
  keyed(() => 'v'),
  keyed(place => `person-${place}@example.com`),
  units => ({ phone: Array.from({ length: units }, (_, place) => 4_930_000_000 + place) }),
  keyed(() => ({ a: { b: { c: ['x', 1, null] } } })),
]

type SignalBody = Readonly<Record<string, unknown>>

/** A way to make a signal's body of a size, in units. */
type Shape = (units: number, number: number) => SignalBody

const SHAPES: readonly Shape[] = [
  ...TEXTS.map(text => (units: number, number: number) => ({ text: text(units, number) })),
  ...METADATA.map(metadata => (units: number, number: number) => ({
    text: `${words(20, number)} crashes`,
    metadata: metadata(units),
  })),
]

const push: Shape = (units, number) => ({
  ref: 'refs/heads/main',
  compare: 'https://code.example.com/compare',
  repository: { full_name: 'team/app', html_url: 'https://code.example.com/team/app' },
  sender: { login: 'committer' },
  commits: Array.from({ length: units }, (_, place) => ({
    id: String(place),
    message: `${words(10, number * 100_003 + place)} fails\n\n${'Signed-off-by: A <a@example.com>\n'.repeat(4)}`,
    timestamp: '2026-01-01T00:00:00Z',
  })),
})

const envelope = (data: unknown): SignalBody => ({ type: 'feedback.created', timestamp: '2026-01-01T00:00:00Z', data })

const KIB = 1024
/**
 * What is kept of a request has at most so many bytes (`INGEST_RECORD_BYTES`), with some to spare for the record around
 * it.
 */
const RECORD_BYTES = 880_000

/** A way in: its documented limits, and the schema of its bodies. */
export interface WayIn {
  readonly aMinute: number
  readonly bodyBytes: number
  /** What is kept of a body: all of it, unless the edge projects it to less. */
  readonly keptBytes: number
  readonly schema: { Check(value: unknown): boolean }
}

export const WAYS_IN = {
  signal: { aMinute: 100, bodyBytes: 768 * KIB, keptBytes: RECORD_BYTES, schema: signalBody },
  connection: { aMinute: 500, bodyBytes: 1024 * KIB, keptBytes: RECORD_BYTES, schema: connectionBody },
  push: { aMinute: 500, bodyBytes: 25 * 1024 * KIB, keptBytes: Number.POSITIVE_INFINITY, schema: pushPayload },
} as const satisfies Readonly<Record<string, WayIn>>

/** A larger body is taken with so many values at most. */
const MAX_VALUES = 250_000

const valuesIn = (json: string): number => json.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/[,[{]/g)?.length ?? 0

/** Whether the edge takes a body once its sender is proven. */
const isTaken = ({ bodyBytes, keptBytes, schema }: WayIn, body: Buffer): boolean =>
  body.byteLength <= Math.min(bodyBytes, keptBytes) &&
  valuesIn(body.toString()) <= MAX_VALUES &&
  schema.Check(JSON.parse(body.toString()))

/** Halvings of the step once a size was refused: within a few percent of the largest. */
const HALVINGS = 5

/** How many units of a shape are taken at most, about; 0 for a shape that is refused at any size. */
const mostUnits = (way: WayIn, shape: Shape, number: number): number => {
  const fits = (units: number) => isTaken(way, bodyOf(shape, units, number))
  if (!fits(1)) return 0
  let taken = 1
  while (fits(2 * taken)) taken *= 2
  let step = taken
  for (let halving = 0; halving < HALVINGS && step > 1; halving += 1) {
    step = Math.floor(step / 2)
    if (fits(taken + step)) taken += step
  }
  return taken
}

const bodyOf = (shape: Shape, units: number, number: number): Buffer =>
  Buffer.from(JSON.stringify(shape(units, number)))

/** The dearest bodies of signals, `variants` of each shape. */
export const dearestSignals = (way: WayIn, variants: number): readonly Buffer[] =>
  SHAPES.flatMap(shape => variantsOf(way, shape, variants))

/** The same in the envelope of a connection. */
export const dearestConnections = (way: WayIn, variants: number): readonly Buffer[] =>
  SHAPES.flatMap(shape => variantsOf(way, (units, number) => envelope(shape(units, number)), variants))

export const dearestPushes = (way: WayIn, variants: number): readonly Buffer[] => variantsOf(way, push, variants)

const variantsOf = (way: WayIn, shape: Shape, variants: number): readonly Buffer[] => {
  // The last number makes the longest; a little less leaves room for the others.
  const units = Math.floor(mostUnits(way, shape, variants) * 0.99)
  return units === 0 ? [] : Array.from({ length: variants }, (_, number) => bodyOf(shape, units, number))
}

const MAIL_HTML_UNITS = 40_000

/** A mail whose HTML is deep, wide and full of quotes. */
export const dearestMail = (number: number): Buffer =>
  Buffer.from(
    [
      'From: a@example.com',
      `Message-ID: <hostile-${number}-${Date.now()}@example.com>`,
      `Subject: ${number} crashes`,
      'Content-Type: text/html; charset=utf-8',
      '',
      '<div>'.repeat(200),
      '<p>On Monday, A wrote:<br>&gt; it fails <a href="https://example.com">x</a></p>\n'.repeat(MAIL_HTML_UNITS),
    ].join('\r\n'),
  )
