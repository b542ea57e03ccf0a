import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { messagesOfApp, statementsOfApp } from '../../messages/messages-of-app.ts'
import type { Catalogue } from './languages.ts'
import { addMessages } from './messages.ts'
import { statement } from './statements.ts'
import { type Templates, translatorBy } from './templates.ts'

const german: Catalogue = JSON.parse(readFileSync(join(import.meta.dirname, '../../messages/de.json'), 'utf8'))
const wordFor = (word: string): string | undefined => {
  const found = german[word]
  return typeof found === 'string' ? found : undefined
}

/** A value that a message may have at a place, by the place's name. */
const exampleOf = (name: string): string =>
  name.startsWith('said') ? SOLUTION_STATES[1] : /^(?:title|name)$/.test(name) ? 'Pay by card' : 'SOL-14'

describe('What the app writes into a Decision by itself', () => {
  const statements = statementsOfApp()
  const templates: Templates = Object.fromEntries(statements.map(message => [message, wordFor(message) ?? '']))
  const translate = translatorBy(templates, wordFor)

  // The app of the person who writes is German, too: what is stored is English all the same.
  addMessages(german)

  it('is read in the language of the reader, each with its values', () => {
    assert.ok(statements.length > 20, `${statements.length}`)
    for (const message of statements) {
      const names = [...message.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const values = Object.fromEntries(names.map(name => [name, exampleOf(name)]))
      const said = (templates[message] ?? '').replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => (name.startsWith('said') ? wordFor(values[name] ?? '') : values[name]) ?? '',
      )
      assert.equal(translate(statement(message, values).stored), said, message)
    }
  })

  it('is kept apart from what people wrote', () => {
    for (const text of ['Ann does not answer Bob.', 'Move the team to Planned.', 'Hand it off for review.'])
      assert.equal(translate(text), text)
  })

  it('is known to the app as its messages are', () => {
    const { messages } = messagesOfApp()
    for (const message of statements) assert.ok(messages.has(message), message)
  })
})
