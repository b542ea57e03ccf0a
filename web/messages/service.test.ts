import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { LANGUAGES } from '../src/language/languages.ts'
import { type Templates, translatorBy } from '../src/language/templates.ts'
import { sentencesOfService } from './sentences-of-service.ts'

/** Values of a place: a reference, and a word of a vocabulary. */
const VALUES = ['SIG-7', 'accepted']
const MAX_PLACES = 6

/** Whose statements and reasons the app shows again; of changes, all that is said. */
const STORING = /operations\/(triage|merges|claims|decisions|undo)\/|steps\/cluster\/|erasures\/promoted-repeats/
const CHANGES = /\/changes\/change-sections\.ts$/
/** Answered alone. */
const NOTHING_STORED = /nothing was changed\.$/

/** A sentence with each of its values a reference or a word. */
const waysToSay = (sentence: string): readonly string[] => {
  const parts = sentence.split('{value}')
  const places = Math.min(parts.length - 1, MAX_PLACES)
  return Array.from({ length: 2 ** places }, (_, way) =>
    parts.reduce((said, part, place) => `${said}${VALUES[(way >> (place - 1)) & 1]}${part}`),
  )
}

const sentences = [...sentencesOfService()].map(([sentence, { file, isStored }]) => {
  // Values that are sentences by themselves are said by another one of the list.
  const own = sentence.replaceAll(/(^|[.!?] )(?:\{value\}\.? ?)+(?=[A-Z“"]|$)/g, '$1').trim()
  return {
    file,
    own,
    ways: waysToSay(own),
    isStored: (isStored && STORING.test(file) && !NOTHING_STORED.test(own)) || CHANGES.test(file),
  }
})

/** What no code of the service has: sentences of the account library. */
const OF_LIBRARY =
  /^(?:User already exists|Session expired\. Re-authenticate|Too many attempts\. Please|Too many failed verification)/

/** What earlier versions stored, and is read still. */
const OF_EARLIER = /^It may be the same as another one: it started/

const placesOf = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}/g))].sort()

/** Every file of the service that may say something. */
const SERVICE = '{infra,ingest,model,processors,query-api,schemas}/**/*.ts'
/** A noun with a plural in brackets, within a text: `2 node(s)`. */
const IN_BRACKETS = /[`'"][^`'"\n]* [a-z]{3,}\((?:s|es|ies)\)(?=[ ,.:;`'"])/

describe('What the service says to people', () => {
  it('has each number with its noun, by `counted` and `plural`, and no noun with (s)', () => {
    const root = join(import.meta.dirname, '../..')
    const files = globSync(SERVICE, { cwd: root })
    assert.ok(files.length > 1000, `${files.length}`)
    const undecided = files.filter(file => IN_BRACKETS.test(readFileSync(join(root, file), 'utf8')))
    assert.deepEqual(undecided, [])
  })

  it('can be read from its code', () => {
    assert.ok(sentences.length > 400, `${sentences.length}`)
  })

  for (const { language, name } of LANGUAGES.filter(each => each.language !== 'en')) {
    const read = (file: string): Templates => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'))
    const words = read(`${language}.json`)
    const wordFor = (word: string) => words[word]
    const templates = read(`service.${language}.json`)

    it(`is all in ${name}`, () => {
      const translate = translatorBy(templates, wordFor)
      const missing = sentences.filter(({ ways }) => ways.every(way => translate(way) === way))
      assert.deepEqual(
        missing.map(each => `${each.file}: ${each.own}`),
        [],
      )
    })

    it(`is there in ${name} with the screen that shows it, of what is stored and read again`, () => {
      const stored: readonly string[] = JSON.parse(readFileSync(join(import.meta.dirname, 'stored.json'), 'utf8'))
      assert.deepEqual(
        stored.filter(english => templates[english] === undefined),
        [],
      )
      const alone = Object.fromEntries(stored.map(english => [english, templates[english] ?? '']))
      const translate = translatorBy(alone, wordFor)
      const kept = sentences.filter(({ isStored }) => isStored)
      assert.ok(kept.length > 30, `${kept.length}`)
      const missing = kept.filter(({ ways }) => ways.every(way => translate(way) === way))
      assert.deepEqual(
        missing.map(each => `${each.file}: ${each.own}`),
        [],
      )
    })

    it(`has no sentence in ${name} that the service does not say`, () => {
      const keys = Object.keys(templates)
      const numbered = translatorBy(Object.fromEntries(keys.map((key, place) => [key, `<${place}>`])), wordFor)
      const used = new Set(sentences.flatMap(({ ways }) => ways.flatMap(way => numbered(way).match(/<\d+>/g) ?? [])))
      const isSaid = (key: string) => sentences.some(({ own }) => own.includes(key))
      const isSentence = (key: string) =>
        /^[A-Z"{].* .*\.$/.test(key) && ![OF_LIBRARY, OF_EARLIER].some(known => known.test(key))
      const unused = keys.filter((key, place) => isSentence(key) && !used.has(`<${place}>`) && !isSaid(key))
      assert.deepEqual(unused, [])
    })

    it(`has no value in ${name} that the English does not have`, () => {
      for (const [english, said] of Object.entries(templates)) {
        const places = placesOf(english)
        assert.deepEqual(
          placesOf(said).filter(place => !places.includes(place)),
          [],
          english,
        )
      }
    })
  }
})
