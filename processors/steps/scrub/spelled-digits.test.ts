import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DIGIT_WORDS } from './digit-words.ts'
import { redact } from './redact.ts'

/** The first word for each digit of a language. */
const wordsOf = (digits: string): readonly string[] => digits.split(' ').map(words => words.split('|')[0] ?? '')

for (const [language, digits] of Object.entries(DIGIT_WORDS)) {
  test(`a card that is spelled digit by digit is found: ${language}`, () => {
    const words = wordsOf(digits)
    assert.equal(words.length, 10)
    const card = Array.from('5105105105105100', digit => words[Number(digit)])
    for (const between of [' ', ', ', '-', ' - ']) {
      const spelled = card.join(between)
      for (const written of [spelled, spelled.toUpperCase()])
        assert.equal(redact(`card: ${written}; thanks`, new Map()), 'card: [CARD]; thanks')
    }
  })
}

for (const [spelled, clean] of [
  ['call four one five five five five two six seven one now', 'call [PHONE] now'],
  ['phone: oh two oh seven nine four six oh one two three', 'phone: [PHONE]'],
  ['phone: nine eight double six five four three two one oh', 'phone: [PHONE]'],
  ['电话：一三八零零一三八零零零', '电话：[PHONE]'],
  ['手机 幺三八 零零幺三 八零零零', '手机 [PHONE]'],
  ['전화 공일공 일이삼사 오육칠팔', '전화 [PHONE]'],
  ['one two three, one two three, and one more', null],
  ['It took one or two of the six, and seven came at nine.', null],
  ['un deux trois, nous irons au bois', null],
] as const) {
  test(`digits in words: ${spelled}`, () => assert.equal(redact(spelled, new Map()), clean ?? spelled))
}
