import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { figuresOf, mappedOf } from './anchoring.ts'
import { type AnchoringLine, readSets } from './sets.ts'

const NODES = 20
const MESSAGES = 200
const STRANGERS = 30
const LANGUAGES = 12
/** Of a node's messages and of the set's languages. */
const LEAST_OF_NODE = 8
const LEAST_OF_LANGUAGE = 15

const FOLDERS = { billing: 'sets', 'photos-aside': 'sets-kept-aside' } as const

describe('the sets of anchoring', () => {
  for (const [name, folder] of Object.entries(FOLDERS)) {
    it(`${name} has as many nodes, messages and languages as it must, in other words than the examples`, async () => {
      const sets = await readSets(fileURLToPath(new URL(folder, import.meta.url)), 'anchoring')
      const { nodes, messages } = mappedOf(sets.find(set => set.name === name) ?? assert.fail(name))
      assert.equal(nodes.length, NODES)
      const own = messages.filter(({ node }) => node !== null)
      assert.deepEqual([own.length, messages.length - own.length], [MESSAGES, STRANGERS])
      for (const [node, some] of Map.groupBy(own, message => message.node)) {
        assert.ok(some.length >= LEAST_OF_NODE, `${node} has ${some.length}`)
        assert.equal(new Set(some.map(({ language }) => language)).size, some.length, `${node} has a language twice`)
      }
      const languages = Map.groupBy(messages, ({ language }) => language)
      assert.equal(languages.size, LANGUAGES)
      for (const [language, some] of languages)
        assert.ok(some.length >= LEAST_OF_LANGUAGE, `${language} has ${some.length}`)
      assert.equal(new Set(messages.map(({ text }) => text)).size, messages.length)
    })
  }

  it('are refused with what is not as it should be', () => {
    const node = { id: 'a', name: 'A', description: 'B', language: 'en', examples: ['c', 'd'] } satisfies AnchoringLine
    const message = { id: 'one', text: 'Hello', language: 'en', node: 'a' } satisfies AnchoringLine
    const read = (...lines: readonly AnchoringLine[]) => mappedOf({ name: 'some', lines })
    assert.deepEqual(read(node, message), { nodes: [node], messages: [message] })
    assert.throws(() => read(node, { ...message, node: 'b' }), /some: one is of b, which is no node of it/)
    assert.throws(() => read(node, message, message), /some: one stands on two lines/)
  })

  it('count what is at its node, at another, and at one without belonging to any', () => {
    const nodes = [
      { id: 'a', language: 'en' },
      { id: 'b', language: 'de' },
    ]
    const at = (node: string | null, language: string, place: string | null) => ({
      id: '',
      text: '',
      ...{ node, language, at: place },
    })
    const messages = [
      at('a', 'en', 'a'),
      at('a', 'fr', null),
      at('b', 'fr', 'b'),
      at('b', 'de', 'a'),
      at(null, 'de', 'a'),
      at(null, 'en', null),
    ]
    const figures = Object.entries(figuresOf(nodes, messages)).map(([name, { value, of }]) => [name, value, of])
    assert.deepEqual(figures, [
      ['right', 0.5, 4],
      ['wrong', 0.25, 4],
      ['sameLanguage', 0.5, 2],
      ['otherLanguage', 0.5, 2],
      ['ofAnchored', 0.5, 4],
      ['strangers', 0.5, 2],
    ])
  })
})
