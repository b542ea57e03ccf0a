import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isFarApart, saysTheSame, saysTheSameAs } from './says-the-same.ts'
import { foldedText, readWording } from './wording.ts'

/** With and without the look at missing words, which must never decide otherwise. */
const same = (left: string, right: string): boolean => {
  const says = saysTheSame(readWording(left), readWording(right))
  assert.equal(saysTheSameAs(readWording(left), right), says)
  return says
}

const EXPORT = 'The export button of the invoice list does nothing when I click it'
const REPORT = `Invoices are sent twice

Since Monday each customer gets the invoice two times. We looked at the mail log and saw both messages leave within a second.
It began after the update of the server to 4.2.1 on host app7.example.com, and it stops when the worker is restarted by hand.`

const SAME: readonly (readonly [what: string, left: string, right: string])[] = [
  ['spaces, case and signs', EXPORT, 'the EXPORT button, of the invoice  list\ndoes nothing - when I click it!'],
  ['letters changed places', EXPORT, EXPORT.replace('button', 'buttno')],
  ['a letter is missing', EXPORT, EXPORT.replace('invoice', 'invoce')],
  ['a word is parted', 'The login page is blank', 'The log in page is blank'],
  ['a greeting and thanks', EXPORT, `Hi team,\n\n${EXPORT}\n\nThanks!`],
  ['a greeting in the line', EXPORT, `Hello, ${EXPORT}`],
  ['a signature', EXPORT, `${EXPORT}\n\nMit freundlichen Grüßen\nUwe Schmidt\nMuster GmbH, Kiel`],
  ['a greeting and thanks in the line', EXPORT, `Hello team, ${EXPORT}. Thanks!`],
  [
    'thanks in a line of their own',
    EXPORT,
    `Good morning all,\n${EXPORT}\nThanks in advance for your help\nJane Miller`,
  ],
  ['a signature behind dashes', EXPORT, `${EXPORT}\n--\nJan de Vries\nTel. [PHONE]`],
  ['quote marks', REPORT, REPORT.replaceAll(/^/gm, '> ')],
  [
    'headers of a forwarded mail',
    EXPORT,
    `---- Forwarded message ----\nFrom: A\nDate: Mon\nSubject: Export\n\n${EXPORT}`,
  ],
  ['an answer’s first line', EXPORT, `Re: AW: ${EXPORT}`],
  ['small words', EXPORT, 'Export button of the invoice list does nothing when I click it, please'],
  ['a plain word more in the body', REPORT, REPORT.replace('both messages', 'both identical messages')],
  ['Chinese with other signs', '导出文件失败', '导出文件失败。'],
  ['Arabic with a sign', 'لا يمكنني تصدير الملف', 'لا يمكنني تصدير الملف!'],
]

const OTHER: readonly (readonly [what: string, left: string, right: string])[] = [
  ['what a greeting runs into', 'Hi login fails, please help', 'Hi export fails, please help'],
  ['a report that begins as a greeting does', 'Hello world page\nThe list is empty', 'The list is empty'],
  ['a report behind the thanks', EXPORT, `${EXPORT}\nThanks, the installer crashes too`],
  ['a report below the thanks', EXPORT, `${EXPORT}\nThanks!\nThe installer crashes on start too`],
  ['a report that begins as a sign-off does', EXPORT, `${EXPORT}\nBest view is broken`],
  ['a version', 'The installer stops on Centos 7', 'The installer stops on Centos 8'],
  ['a number in a long text', REPORT, REPORT.replace('4.2.1', '4.2.2')],
  ['a host', REPORT, REPORT.replace('app7.example.com', 'app8.example.com')],
  ['a number that one has more', 'The export fails with error', 'The export fails with error 504'],
  ['a name', 'The page is blank in Safari', 'The page is blank in Firefox'],
  ['a name in a long text', REPORT, REPORT.replace('Monday', 'Friday')],
  ['an identifier', 'TypeError in load_user of the client', 'TypeError in load_users of the client'],
  ['an identifier in camel case', 'Crash in getValue on start', 'Crash in getValues on start'],
  ['a path', 'GET /api/users answers nothing', 'GET /api/groups answers nothing'],
  ['a quotation', 'The button “Send” is grey', 'The button “Save” is grey'],
  ['a negation', REPORT, REPORT.replace('it stops', 'it never stops')],
  ['a contraction', "The page doesn't load at all", 'The page does load at all'],
  ['an opposite', 'Sync stops when dark mode is on', 'Sync stops when dark mode is off'],
  ['a word of the title', 'Import of contacts fails', 'Export of contacts fails'],
  ['a word more in the title', 'App crashes opening reports', 'App crashes opening shared reports'],
  ['words in another order', 'Convert from PDF to Word loses fonts', 'Convert from Word to PDF loses fonts'],
  ['one word for another in the body', REPORT, REPORT.replace('customer', 'supplier')],
  ['a sign before a number', 'Offset of -5 is refused by the form', 'Offset of 5 is refused by the form'],
  ['a language', 'The C++ example does not compile', 'The C# example does not compile'],
  ['German', 'Der Export nach Excel geht', 'Der Export nach Excel geht nicht'],
  ['French', 'La page se charge depuis hier', 'La page ne se charge pas depuis hier'],
  ['Spanish', 'La factura llega con IVA', 'La factura llega sin IVA'],
  ['Russian', 'Отчёт открывается в браузере', 'Отчёт не открывается в браузере'],
  ['Turkish, by one letter', 'Sayfa bugün açılıyor', 'Sayfa bugün açılmıyor'],
  ['Swedish', 'Sidan laddas i mobilen', 'Sidan laddas inte i mobilen'],
  ['Vietnamese', 'Trang này tải được', 'Trang này không tải được'],
  ['Korean', '파일 내보내기가 됩니다', '파일 내보내기가 안 됩니다'],
  ['Hindi', 'यह पृष्ठ खुल रहा है', 'यह पृष्ठ नहीं खुल रहा है'],
  ['Arabic', 'يمكنني تصدير الملف', 'لا يمكنني تصدير الملف'],
  ['Chinese', '可以导出文件', '无法导出文件'],
  ['Japanese', 'ファイルを開けます', 'ファイルを開けません'],
]

describe('two texts', () => {
  for (const [what, left, right] of SAME) {
    it(`say the same: ${what}`, () => assert.ok(same(left, right) && same(right, left)))
  }
  for (const [what, left, right] of OTHER) {
    it(`say something else: ${what}`, () => assert.ok(!same(left, right) && !same(right, left)))
  }

  it('that are nothing but a greeting are compared by it', () => {
    assert.ok(same('Hello team!', 'hello team'))
    assert.ok(!same('Hello team!', 'Hello world!'))
  })

  it('that differ behind 20,000 characters say something else', () => {
    const long = 'word '.repeat(8000)
    assert.ok(same(`${long}end`, `Hello,\n${long}end`.slice(0)) === false)
    assert.ok(!same(`${long}end`, `${long}another end`))
    assert.ok(same(`${long}end`, `${long}end`))
  })
})

describe('Two texts with too many words that the other lacks', () => {
  const long = (word: string) =>
    Array.from({ length: 60 }, (_, at) => `${word}${'xyz'.repeat(1 + (at % 5))}${at}`).join(' ')

  it('are told apart without reading the words of both', () => {
    assert.ok(isFarApart(readWording(long('export')), foldedText(long('invoice'))))
    assert.ok(!isFarApart(readWording(long('export')), foldedText(`${long('export')} ${long('invoice')}`)))
  })

  it('are read where one is longer than what is compared by words', () => {
    assert.equal(foldedText('a'.repeat(20_001)), null)
    assert.ok(!isFarApart(readWording(long('export')), null))
  })
})
