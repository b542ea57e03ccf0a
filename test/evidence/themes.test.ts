import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseLines, readSets, ThemedLine } from './sets.ts'
import { type Themed, themedOf } from './themes.ts'

/** What each set must be like to measure what it is there for. */
const DESK = { messages: [300, 400], themes: 25, languages: 6, twoNeeds: 5, noise: [0.13, 0.17] } as const
const SHAPES = {
  wide: DESK,
  desk: DESK,
  hard: { messages: [200, 300], themes: 28, languages: 10, twoNeeds: 20, noise: [0.1, 0.17] },
  'wide-aside': DESK,
  'desk-aside': DESK,
} as const
const SETS = ['wide', 'desk', 'hard', 'wide-aside', 'desk-aside'] as const satisfies readonly (keyof typeof SHAPES)[]

const FEWEST_MEMBERS = 5
/** Of a theme's members, how many may have a word that hardly stands elsewhere. */
const MAX_WITH_ONE_WORD = 0.34
const LEAST_WORD = 4
const WORD = /\p{L}+/gu

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set([...text.toLowerCase().matchAll(WORD)].map(([word]) => word).filter(word => word.length >= LEAST_WORD))

const membersOf = (lines: readonly Themed[]): ReadonlyMap<string, readonly Themed[]> => {
  const members = new Map<string, Themed[]>()
  for (const line of lines) for (const theme of line.themes) members.set(theme, [...(members.get(theme) ?? []), line])
  return members
}

const countWords = (lines: readonly Themed[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { text } of lines) for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const isWithin = (value: number, [least, most]: readonly [number, number]) => value >= least && value <= most

describe('the sets of themes', () => {
  const read = async (name: keyof typeof SHAPES): Promise<readonly Themed[]> => {
    const folder = fileURLToPath(new URL(name.endsWith('-aside') ? 'sets-kept-aside' : 'sets', import.meta.url))
    return themedOf((await readSets(folder, 'themes')).find(set => set.name === name) ?? assert.fail(name))
  }
  for (const name of SETS) {
    it(`${name} has as many messages, themes, languages and as much noise as it must`, async () => {
      const lines = await read(name)
      const shape = SHAPES[name]
      const members = membersOf(lines)
      assert.ok(isWithin(lines.length, shape.messages), `${lines.length} messages`)
      assert.ok(members.size >= shape.themes, `${members.size} themes`)
      assert.equal(new Set(lines.map(({ language }) => language)).size, shape.languages)
      const twoNeeds = lines.filter(({ themes }) => themes.length > 1).length
      assert.ok(twoNeeds >= shape.twoNeeds, `${twoNeeds} with two needs`)
      const noise = lines.filter(({ themes }) => themes.length === 0).length / lines.length
      assert.ok(isWithin(noise, shape.noise), `${noise} noise`)
    })

    it(`${name} has themes of several kinds and languages that no word tells`, async () => {
      const lines = await read(name)
      const everywhere = countWords(lines)
      for (const [theme, members] of membersOf(lines)) {
        assert.ok(members.length >= FEWEST_MEMBERS, `${theme} has ${members.length}`)
        assert.ok(new Set(members.map(({ kind }) => kind)).size > 1, `${theme} is of one kind`)
        assert.ok(new Set(members.map(({ language }) => language)).size > 2, `${theme} is in two languages`)
        for (const [word, count] of countWords(members)) {
          const isIts = count > (everywhere.get(word) ?? 0) / 2
          assert.ok(!isIts || count <= members.length * MAX_WITH_ONE_WORD, `${theme} is told by ${word}`)
        }
      }
    })
  }

  it('are refused with the line that is not as it should be', () => {
    const line = { id: 'one', text: 'Hello', language: 'en', theme: null, kind: 'unclassified' }
    const read = (...given: readonly object[]) => {
      const content = given.map(one => JSON.stringify(one)).join('\n')
      return themedOf({ name: 'some.jsonl', lines: parseLines(ThemedLine, 'some.jsonl', content) })
    }
    assert.deepEqual(read({ ...line, theme: ['a', 'b'] })[0]?.themes, ['a', 'b'])
    assert.deepEqual(read(line)[0]?.themes, [])
    assert.throws(() => read(line, line), /some\.jsonl: one stands on two lines/)
    const wrong = [{ theme: [] }, { theme: ['a', 'a'] }, { theme: 'Two words' }, { kind: 'praise' }, { text: '' }]
    for (const part of wrong) assert.throws(() => read(line, { ...line, id: 'two', ...part }), /some\.jsonl, line 2/)
  })
})
