import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redact } from './redact.ts'

const UNITS = [
  '@',
  'a@',
  'a.',
  '%40',
  '"',
  '"a"@',
  'a@a.',
  '1',
  '1 ',
  '1-',
  '1.',
  '1:',
  ':',
  'f',
  'f:',
  'f.',
  '+1',
  '+1 2 ',
  '(1',
  '0/',
  '4111 ',
  '41111111111111111 ',
  '1.1.1.1',
  'AA11',
  'A',
  '12345678',
  '12.345.',
  '756.',
  'ssn ',
  'tel ',
  'order ',
  '2024-',
  '-',
  '\n',
  'ö',
  '１',
  '👍',
  '%25',
  '%2540',
  '+1+',
  '=1+11',
  '&#64;',
  '\\u0040',
  '[at]',
  ' at ',
  'a at b dot ',
  ' dot com',
  '[.]',
  '\u200b',
  '1\u200b',
  '00 49 ',
  '0049 30 ',
  'call 030 ',
  '(0) ',
  '123-45-6789 ',
  'version 1.2.3.4 ',
  'YWFh',
  '2001:db8:',
  'A1',
  '12345678901 ',
  'Phone:\n',
  'Phone:\n1',
  '604-696-5272x',
  '1 ext. ',
  'call me on 450 0840 ',
  'card 1 ',
  'DE89 ',
  'GB29NWBK',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed ',
  'bc1q',
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb ',
  'a@b.de or 450 0840 ',
  '1\n',
  '4242 4242\n> ',
  '4242 4242 4242\n4242 ',
  'IBAN DE89 3704\n0044 0532 0130 00 ',
  'a@\n',
  '12345678=\n',
  'word 1\r\n',
  '<br>1',
  ' \n',
  'four ',
  'four four four four four four four five,',
  'un ',
  'eins-',
  '四',
  '四二四二四二四二 ',
  '일',
  '①',
  '⁴',
  'ⓐ',
  '%C3%A4',
  '%25C3',
  '&lpar;at',
  'फोन ९ ',
  'тел 8 916 1',
  '电话号码',
  'telefon',
  'passport C01X00T4 ',
  '536.90.4399 ',
  'ssn 5 3 6 9 ',
  'https://wa.me/4917 ',
  'eEB5LmRl/',
  'YUBl/',
]

const millisecondsFor = (text: string): number => {
  const began = process.cpuUsage()
  redact(text, new Map())
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000
}

const RUNS = 3

for (const unit of UNITS) {
  test(`50,000 characters of ${JSON.stringify(unit)} cost about ten times what 5,000 do`, () => {
    const long = unit.repeat(Math.floor(50_000 / unit.length))
    for (const text of [long, `${long.slice(0, -1)}x`]) {
      const short = Math.min(...Array.from({ length: RUNS }, () => millisecondsFor(text.slice(0, 5_000))))
      // Quadratic time would be a factor of 100; the constant lets small figures be noise.
      const limit = 30 * short + 60
      // Only what is above it is measured again: the least of a few runs is what a pause of the machine does not add
      // to.
      let least = millisecondsFor(text)
      for (let run = 1; run < RUNS && least >= limit; run += 1) least = Math.min(least, millisecondsFor(text))
      assert.ok(least < limit, `${least} ms against ${short} ms`)
    }
  })
}
