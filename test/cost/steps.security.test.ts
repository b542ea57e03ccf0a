import { test } from 'node:test'
import { redactJson } from '../../processors/steps/scrub/scrub.ts'
import { assertLinear, LONG } from './measure.testing.ts'
import { throughSteps } from './steps.testing.ts'
import { filled, patterns } from './units.testing.ts'

const MAX_CHARACTERS = 50_000

/** Took 3.7 s of CPU once. */
const BRACKETS = `${'(1'.repeat(23)}____________\na-tel `

const through = (body: unknown) => throughSteps(JSON.stringify(body), 'signal', (_, work) => work())

test('the steps take time by the length of a text, whatever it is made of', async () => {
  await through({ text: 'The first run compiles what the others use: call 030 1234567 or a@example.com.' })
  for (const pattern of [BRACKETS, ...patterns(LONG ? 2_500 : 8)]) {
    await assertLinear(
      `A text of ${JSON.stringify(pattern)}`,
      MAX_CHARACTERS - 1,
      // The first character keeps a text of marks and spaces alone from being refused as blank.
      size => ({ text: `x${filled(pattern, size)}` }),
      through,
    )
  }
})

const fields = (count: number, key: (place: number) => string, value: (place: number) => unknown) =>
  Object.fromEntries(Array.from({ length: Math.floor(count) }, (_, place) => [key(place), value(place)]))
const list = (count: number, value: (place: number) => unknown) =>
  Array.from({ length: Math.floor(count) }, (_, place) => value(place))

/** Metadata of a share of what may be sent: a quarter, a half, all. */
const METADATA: Readonly<Record<string, (share: number) => unknown>> = {
  'addresses as keys, which are the same after redaction': share =>
    fields(490 * share, place => `a${place}@b.de`, String),
  'keys that look as if they were numbered': share =>
    fields(490 * share, place => (place % 2 === 0 ? `[EMAIL] ${place}` : `a${place}@b.de`), String),
  'numbers under phone': share => ({ phone: list(990 * share, place => 1_234_567_890 + place * 7_919) }),
  introductions: share =>
    fields(
      490 * share,
      place => `phone ${place}`,
      place => `030 ${1_234_567 + place}`,
    ),
  'national numbers': share =>
    fields(
      490 * share,
      place => `ssn ${place}`,
      place => 100_000_000 + place * 7_919,
    ),
  base64: share => ({ a: list(990 * share, place => Buffer.from(`tel 030 ${1e6 + place}`).toString('base64')) }),
  cards: share => ({ card: list(990 * share, place => `4242 4242 4242 ${1_000 + place}`) }),
  nesting: share => list(30 * share, String).reduce<unknown>(inner => ({ 'phone number': inner, tel: 1 }), 1_234_567),
  'one string': share => ({ phone: filled('电话123456789 ', 32_000 * share) }),
}

for (const [what, make] of Object.entries(METADATA)) {
  test(`metadata of ${what} takes time by its size`, () =>
    assertLinear(what, 4, size => ({ text: 'x', metadata: { a: make(size / 4) } }), through))
}

test('keys that are the same after redaction take time by their number, however many are stored already', () =>
  assertLinear(
    'Keys',
    12_000,
    count => fields(count, place => `a${place}@example.com`, String),
    keys => redactJson(keys, new Map()),
  ))
