import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CountryCode, getExampleNumber, type PhoneNumber } from 'libphonenumber-js/max'
import { redact } from '../redact.ts'
import { ACCOUNTS, CARDS, examples, inFours } from '../wrapped.testing.ts'
import { INTRODUCTIONS } from './introductions.ts'

const wordsIn = (list: string): readonly string[] =>
  list
    .split('|')
    .filter(word => word !== '')
    .map(word => word.replace('*', ''))

/** How a word stands before a number: alone, as a label, within a sentence's end, in capitals. */
const standings = (word: string): readonly string[] => [
  `${word} `,
  `${word}: `,
  `${word}. `,
  `${word.toUpperCase()} `,
  `Hello ${word} - `,
]

/** The digits of the scripts of some languages. */
const ZEROS: Readonly<Record<string, string>> = {
  'Hindi and Marathi': '०',
  Bengali: '০',
  Arabic: '٠',
  Persian: '۰',
  Urdu: '۰',
  Thai: '๐',
}

const inScript = (written: string, zero: string): string =>
  written.replace(/\d/g, digit => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)))

const written = (number: PhoneNumber, language: string): readonly string[] => {
  const forms = [
    number.formatInternational(),
    number.number,
    number.formatNational(),
    number.formatNational().replace(/\D/g, ''),
    number.formatInternational().replace(/(?<=\d) /g, '-'),
  ]
  const zero = ZEROS[language]
  return zero === undefined ? forms : [...forms, ...forms.map(form => inScript(form, zero))]
}

const exampleOf = (country: CountryCode): PhoneNumber => {
  const number = getExampleNumber(country, examples)
  assert.ok(number, country)
  return number
}

/** What people type to try a field; one country has it for its example. */
const SEQUENCE = /^0?123456789?0?$/

const assertRedacted = (before: string, value: string, kind: string): void =>
  assert.equal(redact(before + value, new Map()), `${before}[${kind}]`)

test('the table has words of at least thirty languages, and none twice in a list', () => {
  assert.ok(INTRODUCTIONS.length >= 30)
  for (const { language, countries: _, ...lists } of INTRODUCTIONS) {
    for (const [kind, list] of Object.entries(lists)) {
      const words = wordsIn(String(list))
      assert.deepEqual(words.toSorted(), [...new Set(words)].toSorted(), `${language} ${kind}`)
    }
  }
})

for (const { language, countries, phone, call, card, account, passport, thing } of INTRODUCTIONS) {
  test(`${language}: each word for a phone, or to call one, introduces numbers of its countries`, () => {
    for (const country of countries) {
      for (const value of written(exampleOf(country), language).filter(form => !SEQUENCE.test(form))) {
        for (const word of [...wordsIn(phone), ...wordsIn(call)]) {
          for (const standing of standings(word)) assertRedacted(standing, value, 'PHONE')
        }
      }
    }
  })

  test(`${language}: each word for a card, an account or a passport introduces its numbers`, () => {
    for (const word of wordsIn(card)) {
      for (const value of CARDS.flatMap(digits => [digits, inFours(digits)])) assertRedacted(`${word}: `, value, 'CARD')
      // A number that no issuer has needs the word.
      assertRedacted(`${word} `, '1234567812345670', 'CARD')
    }
    for (const word of wordsIn(account)) {
      assertRedacted(`${word} `, ACCOUNTS[0] ?? '', 'IBAN')
      // An account of a length that its country does not have, with the right check digits, needs the word.
      assertRedacted(`${word} `, 'DE863704004405320130', 'IBAN')
    }
    for (const word of wordsIn(passport)) assertRedacted(`${word} `, 'C01X00T47', 'NATIONAL_ID')
  })

  test(`${language}: a number after each word for something else stays`, () => {
    for (const word of wordsIn(thing)) {
      for (const value of ['601234567', '13812345678', '9876543210', '0301234567'])
        assert.equal(redact(`${word} ${value}`, new Map()), `${word} ${value}`)
    }
  })
}
