import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readThread } from './thread.ts'

const OWN = 'It happens in Firefox, too.'
const newestOf = (text: string, answers = true): string => readThread(text, answers).newest

describe('an attribution alone in its paragraph, with a name in whatever form, goes with the marked lines below', () => {
  for (const attribution of [
    'kim wrote:',
    'kim lee wrote:',
    'kim_99 writes:',
    'Kim Lee-2 wrote:',
    'Lee, Kim (Sales/E) schrieb:',
    'Kim Lee - Customer Ltd ha scritto:',
    'Kim & Lou Lee wrote:',
    'jasper van der lee schreef:',
    'kim lee <kim@v.example> wrote:',
    '--- kim-l <kim@v.example> wrote:',
    'Kim Lee <kim <at> v.example> writes:',
    'On 2026-11-23 19:21, kim maría lee garcía mejía wrote:',
    '2026/11/23 Kim Lee <kim@v.example>',
    'kim <kim@v.example>:',
    'Kim Lee wrote on Mon, Nov 23, 2026 at 06:15:49PM -0500:',
    'Kim Lee wrote, on 23-11-26 16:23:',
    'Kim Lee (Sales) schrieb am 23.11.2026 19:20:',
    'Du schriebst am Mon, 23 Nov 2026 08:16:54 +0100:',
    'Kim Lee kirjoitti 23/11/2026 klo 7.52:',
    'Kim Lee skrev 2026-11-23 19.07:',
    'Op 2026-11-23 12:15, Kim Lee het geskryf:',
    'On Wed, 6 Jul 2022 19:02:37 -0700 Kim Lee:',
    'On 31 Aug 2026, Kim Lee told this:',
    'Quoting Kim Lee (2026-11-23 10:33:18)',
    'From: Kim Lee <kim@v.example>\nDate: Mon, 23 Nov 2026 12:05:12 -0400',
    '2026/11/23 <kim@v.example>',
    'On Mon, Nov 23, 2026 at 1:30 PM, <kim@v.example\n> wrote:',
    'On (26/11/23 19:21), kim wrote:',
    'On lundi 23 novembre 2026 10:54:35 heure normale d’Europe centrale Kim Lee wrote:',
    'Am 23.11.26 um 19:21 schrieb k1abc:',
    'Am Samstag, 21. November 2026 schrieben Sie:',
  ])
    it(attribution, () => {
      const prose = '> Which browser is it that you use when you\n> export all of the rows at once?'
      assert.equal(newestOf(`Hello,\n\n${attribution}\n\n${prose}\n\n${OWN}`), `Hello,\n\n${OWN}`)
    })
})

describe('what its author says of somebody stays above the lines that they quote', () => {
  for (const sentence of [
    'our customer wrote:',
    'Yesterday kim wrote:',
    'he then wrote:',
    'ein Kunde schrieb:',
    'notre client a écrit :',
    'un cliente escribió:',
    'the second user in the list wrote:',
    'the import stops. then kim wrote:',
    'On 23 November 2026 at 10:00 we called and one of your people wrote:',
    'server log says:',
    'our tester wrote on 23.11.2026:',
    'On 23 November 2026 at 10:00 it said this:',
    'From: Berlin\nDate: 23 November 2026',
    'Invited on 2026/11/23: Kim Lee <kim@v.example>',
  ])
    it(sentence, () => {
      assert.equal(newestOf(`Hello,\n\n${sentence}\n> It is broken.\n\n${OWN}`), `Hello,\n\n${sentence}\n\n${OWN}`)
    })
  it('also the end of a sentence that is broken over lines', () => {
    const text = `This is what my colleague of the export team called\nkim wrote:\n> It is broken.\n\n${OWN}`
    assert.match(newestOf(text), /kim wrote:/)
  })
  it('and the lines above an attribution', () => {
    const marked = `> It is broken.\n\n${OWN}`
    assert.equal(
      newestOf(`Hi.\n\nRegards,\nKim Lee\nQuoting Lou Park <lou@v.example>:\n\n${marked}`),
      `Hi.\n\nRegards,\nKim Lee\n\n${OWN}`,
    )
    for (const weak of ['lou park wrote:', 'lou <lou@v.example>:'])
      assert.match(newestOf(`Hi.\n\nRegards,\nKim Lee\n${weak}\n${marked}`), /^Hi\.\n\nRegards,\nKim Lee\n/)
  })
  it('and a name in small letters above what is not marked', () => {
    const text = `kim wrote:\n\nIt is broken.\n\n${OWN}`
    assert.equal(newestOf(text), text)
  })
})

describe('what announces a mail that is not marked cuts all of it', () => {
  for (const [what, line] of [
    ['Yahoo', '--- kim@v.example wrote:'],
    ['Yahoo in Portuguese', 'Em quarta-feira, 11 de maio de 2022 03:20:18 BRT, Kim Lee <kim@v.example> escreveu:'],
    ['Zimbra in French', '----- Mail original -----'],
    ['GroupWise', '>>> Kim Lee <kim@v.example> 11/23/2026 2:17 PM >>>'],
    ['GroupWise, with a name alone', '>>> "Lee, Kim" 23.11.26 14:17 >>> '],
  ] as const)
    it(what, () => assert.equal(newestOf(`${OWN}\n\n${line}\n\nWhich browser is it?\n\nKim`), OWN))
  it('and arrows without a time do not', () => {
    const text = `Click here:\n\n${OWN}`
    assert.equal(newestOf(`>>> The export page >>>\n\n${text}`), text)
  })
})

describe('what announces a mail whose lines are marked goes with them alone', () => {
  for (const line of ['----- Original Message -----', '>>> Kim Lee <kim@v.example> 11/23/2026 2:17 PM >>>'])
    it(line, () => {
      const answered = `${line}\n> From: Kim <kim@v.example>\n>\n> Which browser is it?\n\n${OWN}\n\n> And since when?\n\nMonday.`
      assert.equal(newestOf(answered), `${OWN}\n\nMonday.`)
      assert.equal(newestOf(`Hello,\n\n${answered}`), `Hello,\n\n${OWN}\n\nMonday.`)
    })
  it('and a verb that a program broke off from a marked line', () => {
    const wrapped = '> On Mon, 23 Nov 2026 19:21:00 +0100 Kim Lee <kim@v.example> \nwrote:\n>\n> > Which browser is it?'
    assert.equal(newestOf(`${OWN}\n\n${wrapped}\n\nThanks.`), `${OWN}\n\nThanks.`)
  })
})
