import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Catalogue, LANGUAGES } from '../src/language/languages.ts'
import { messagesByPart } from './by-screen.ts'
import { messagesOfApp } from './messages-of-app.ts'

/** In German one word stands for one thing, and people are called Sie: what would be said otherwise. */
const OTHERWISE: Readonly<Record<string, RegExp>> = {
  Sie: /\b(?:du|dich|dir|dein\w*|euch|euer|eure\w*)\b/i,
  ablehnen: /abgewiesen|\bweis(?:t|en)\b.* ab\b/,
  'aufheben, rückgängig machen': /zurück(?:genommen|zunehmen)|nimmt .* zurück/i,
  'eine Installation administrieren': /Installation.*verwalte[nt]|verwalte[nt].*Installation/,
  'erneut verarbeiten': /neu durchl|neuer? Durchlauf/i,
  'Lösung, Aussage, Entscheidung, Ergebnis': /\b(?:Solution|Claim|Decision|Outcome)s?\b/,
  Datenpunkt: /Metrikpunkt|\bkeinen Punkt\b/,
  'Code-Host': /Code-Plattform/,
  Inhalt: /Nutzlast|Nutzdaten|\bBody\b/,
  '„Anführungszeichen“': /"(?!Authorization: )(?!$)|“\w/,
  'ein Name in „Anführungszeichen“':
    /\b(?:von|zu|nach|auf|bei|aus|unter|Schritt|Ebene|Ergebnis:) \{(?:said\w*|state|step)\}/,
}

const { messages, unread, untranslated } = messagesOfApp()

/** What a message has besides words: its values, and the elements around parts of it. */
const partsOf = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}|<\/?\w+>/g))].sort()

describe('The app’s messages', () => {
  it('have one German word for one thing, in what the service says too', () => {
    for (const file of ['de.json', 'service.de.json']) {
      const catalogue: Catalogue = JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'))
      for (const [message, found] of Object.entries(catalogue)) {
        for (const form of typeof found === 'string' ? [found] : Object.values(found)) {
          for (const [word, otherwise] of Object.entries(OTHERWISE))
            assert.doesNotMatch(form, otherwise, `${message}: it is ${word}`)
        }
      }
    }
  })

  it('can be read from its code, each where it is used', () => {
    assert.ok(messages.size > 1500, `${messages.size}`)
    assert.deepEqual(unread, [])
  })

  it('take no English words as their values: each is a message of its own', () => assert.deepEqual(untranslated, []))

  it('come all with the first load or with the screen that says them', () => {
    const parts = messagesByPart()
    assert.ok(parts.size > 25, `${parts.size}`)
    const come = new Set([...parts.values()].flat())
    const missing = [...messages].filter(([message]) => !come.has(message))
    assert.deepEqual(
      missing.map(([message, { where }]) => `${where[0]}: ${message}`),
      [],
    )
    assert.ok((parts.get('') ?? []).length < messages.size / 5, 'the first load has few of them')
    assert.ok(parts.get('screens/solutions/create-solution.tsx')?.length, 'what a dialog says comes with it')
    // The Map draws its charts with a file that also names what Explore asks, and keeps that for Explore.
    assert.ok(parts.get('screens/map/map.tsx')?.includes('Acceptance rate'), 'what a shared file says comes with it')
  })

  it('have no braces, tags or hints that are none', () => {
    for (const [message, { where }] of messages) {
      const rest = message.replaceAll(/\{\w+\}|<(\w+)>|<\/(\w+)>/g, '').replace(/ \[[^[\]]+\]$/, '')
      assert.doesNotMatch(rest, /[{}]/, `${where}: ${message}`)
    }
  })

  it('have no noun with (s): a number decides between two forms', () => {
    for (const [message, { where }] of messages) assert.doesNotMatch(message, /[a-z]\((?:s|es|ies)\)/, `${where}`)
  })

  it('write what is no name small within a sentence, as the glossary does: a signal, a claim, an actor', () => {
    for (const [message, { where }] of messages)
      assert.doesNotMatch(message, /(?<=[a-z0-9,}] )(?:Signal|Claim|Actor|Source|Member)s?\b/, `${where}`)
  })

  for (const { language, name } of LANGUAGES.filter(each => each.language !== 'en')) {
    const file = join(import.meta.dirname, `${language}.json`)
    const catalogue = JSON.parse(readFileSync(file, 'utf8')) as Catalogue
    const formsOf = (message: string): readonly string[] => {
      const found = catalogue[message]
      return found === undefined ? [] : typeof found === 'string' ? [found] : Object.values(found)
    }

    it(`are all in ${name}, and nothing else is`, () => {
      const missing = [...messages].filter(([message]) => formsOf(message).length === 0)
      assert.deepEqual(
        missing.map(([message, { where }]) => `${where[0]}: ${message}`),
        [],
      )
      assert.deepEqual(
        Object.keys(catalogue).filter(message => !messages.has(message)),
        [],
      )
    })

    it(`have the same values and elements in ${name}`, () => {
      for (const message of Object.keys(catalogue)) {
        for (const form of formsOf(message)) {
          assert.notEqual(form.trim(), '', message)
          // A form for one may leave the number out: “one signal”.
          const wanted = partsOf(message).filter(part => part !== '{number}' || form.includes(part))
          assert.deepEqual(partsOf(form), wanted, `${message}: ${form}`)
        }
      }
    })

    it(`have, where a number decides, a form for each class of numbers of ${name}`, () => {
      const classes = new Intl.PluralRules(language).resolvedOptions().pluralCategories
      for (const [message, found] of Object.entries(catalogue)) {
        const forms = typeof found === 'string' ? [] : Object.keys(found)
        assert.deepEqual(forms.sort(), messages.get(message)?.one ? [...classes].sort() : [], message)
      }
    })
  }
})
