import { after, before, test } from 'node:test'
import type { Incoming } from './edge.testing.ts'
import { assertGrowth, LONG } from './measure.testing.ts'
import { differentWords } from './units.testing.ts'
import { startWhole, type Whole } from './whole.testing.ts'

let whole: Whole
before(async () => {
  whole = await startWhole()
})
after(() => whole.stop())

const signal = (characters: number): Incoming => ({
  receiver: 'signal',
  body: JSON.stringify({ text: differentWords(characters), metadata: { a: differentWords(characters / 2) } }),
})

test('the steps that ask the database take time by the length of a text', () =>
  assertGrowth('Texts of different words', 48_000, async characters => {
    const { database } = await whole.run(...Array.from({ length: LONG ? 12 : 4 }, () => signal(characters)))
    return database
  }))

test('the steps that ask the database take time by the signals of a batch', () =>
  assertGrowth('Signals of different words', LONG ? 40 : 8, async signals => {
    const { database } = await whole.run(...Array.from({ length: signals }, () => signal(16_000)))
    return database
  }))
