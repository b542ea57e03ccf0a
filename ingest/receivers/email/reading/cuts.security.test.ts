import { it } from 'node:test'
import { assertLinear } from '../../../../test/cost/measure.testing.ts'
import { readText } from './charset.ts'
import { findForward } from './forward.ts'
import { readMail } from './mail.ts'
import { INDENT_MARK, SIGNATURE_MARK } from './quoted-lines.ts'
import { readThread } from './thread.ts'

/** As much of a text is looked at. */
const MAX_LENGTH = 150_000

/** Lines that nearly are something, in rows. */
const UNITS: readonly string[] = [
  'On 1:11 wrote:\n',
  'On Mon, Nov 23, 2026 at 7:21 PM\n',
  'a b c d 1 <a@\n',
  `On 23 Nov 2026 ${'a '.repeat(100)}\n`,
  '<a@b.example> wrote\n>:\n',
  'a <a@b.example\n>:\n',
  '---- On 1 Jan 2026 ----\n',
  `${'-'.repeat(200)}\n\n`,
  'From: a\n',
  'From: a@b.example\nX: y\nDate: 1 Jan 2026 10:12\n\n',
  'From:\n\n',
  'To: a,\nb\n',
  'Unknown: a\nFrom: b\n',
  '-- \n',
  '--\nKim\n',
  'Sent from my iPhone\n',
  `Sent from my ${'a '.repeat(40)}iPhone\n`,
  `Sent from my iPhone<https://${'a'.repeat(100)}\n`,
  '-- \nhttps://a.example/listinfo/a\n',
  'P.S. a\n',
  `${SIGNATURE_MARK}a\n`,
  `${INDENT_MARK}a\n`,
  `${INDENT_MARK}\n`,
  '> a\n\n',
  '\n',
  'a@'.repeat(50),
  '1:11 ',
  'Begin forwarded message:\n\n',
  '> -----Original Message-----\n',
  'Forwarded message:\nX-A: y\n',
  '> Forwarded message:\n> From: a@b.example\n> Date: 1 Jan 2026 10:12\nx\n\n',
  '----- Forwarded Message ----- From: a@b.exampleTo: cSubject: d\n',
  '----- Forwarded Message ----- From: ',
  'Kim Lee <a@b.example> wrote:\n| x\n',
  'In article <a@b.example> c@d.example writes:\n',
  'In article <a@b.example> c@d.example (A) writes:\n   a\n   b\n',
  '| a\n',
  '>>>>> "KL" == a\nKL> b\n',
  'KL> it stops at ten thousand rows\n',
  `KL> ${'it '.repeat(60)}\n`,
]

for (const unit of UNITS) {
  const make = (length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
  const called = `${JSON.stringify(unit.slice(0, 40))} in a row`
  it(`a text is parted with work that grows with it: ${called}`, () =>
    assertLinear(called, MAX_LENGTH, make, text => readThread(text, true)))
  it(`and looked through for what it forwards: ${called}`, () =>
    assertLinear(called, MAX_LENGTH, make, text =>
      findForward(text, { forwarded: true, answered: false, isEither: false, answers: false }),
    ))
}

const ATTRIBUTION = 'On 1 Jan 2026 10:00, a@b.example wrote:\n'

const rows = (unit: string, length: number): string => unit.repeat(length / unit.length)

/** Many lines of one kind beside many of another. */
const BESIDE: Readonly<Record<string, (length: number) => string>> = {
  'attributions above indented lines': length => rows(`  ${ATTRIBUTION}`, length / 4) + rows('  a\n', (3 * length) / 4),
  'attributions below quoted lines': length =>
    `${rows('>\n', (3 * length) / 4)}${rows(`${ATTRIBUTION}\n\n\n\n\n`, length / 4 - 2)}>\n`,
}
for (const [what, make] of Object.entries(BESIDE)) {
  it(`a text is parted with work that grows with it: ${what}`, () =>
    assertLinear(what, MAX_LENGTH, make, text => readThread(text, false)))
}

const BYTES: Readonly<Record<string, readonly number[]>> = {
  'a broken letter': [0xc3, 0x20],
  'letters of the west': [0xe9, 0x20],
  'letters in rows': [0xcf, 0xf0, 0xe8, 0xe2],
  'half letters of the east': [0x82],
  'broken letters of four bytes': [0xf0, 0x9f],
  'every byte': Array.from({ length: 256 }, (_, byte) => byte),
}
for (const [what, unit] of Object.entries(BYTES)) {
  it(`bytes are read with work that grows with them: ${what}`, () =>
    assertLinear(
      what,
      1024 * 1024,
      length => Buffer.alloc(length, Buffer.from(unit)),
      bytes => readText(bytes, '', true),
    ))
}

const HEAD = 'From: a@b.example\r\nSubject: s\r\n'
const MAILS: Readonly<Record<string, string>> = {
  'parameters that are not indented': 'Content-Type: multipart/mixed;\r\nboundary=b;\r\n',
  'encoded words that nobody can read': ' =?x?Q?=ff?=\r\n',
  'a multipart that is never divided': 'a line of text\r\n',
}
for (const [what, unit] of Object.entries(MAILS)) {
  it(`a mail is read with work that grows with it: ${what}`, () =>
    assertLinear(
      what,
      200_000,
      length =>
        Buffer.from(
          `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n${unit.startsWith(' ') ? 'From: x\r\n' : ''}${unit.repeat(length / unit.length)}\r\n`,
        ),
      readMail,
    ))
}
