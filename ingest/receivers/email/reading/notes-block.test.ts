import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readMail } from './mail.ts'

const read = async (text: string, subject = 'Export') => {
  const head = `From: Pat <pat@vendor.example>\nTo: in@vendor.example\nSubject: ${subject}\n\n`
  const reading = await readMail(Buffer.from(`${head}${text}`))
  assert.ok(reading.kind === 'mail')
  return reading.mail
}

const WRITTEN = 'The export drops the last column.\nPlease look at it.'
const LABELS = 'To: Pat Miller/Sales/Vendor@VENDOR\ncc: \n\nSubject: Export\n'

/** What Lotus Notes writes above a mail, and whose it is. */
const HEADS: Readonly<Record<string, readonly [string, { name: string | null; email: string | null }]>> = {
  'a name, a time, the recipients': [
    `Kim Lee@CUSTOMER\n11/03/2026 11:33 AM\n${LABELS}`,
    { name: 'Kim Lee', email: null },
  ],
  'an address and the time behind it': [
    `"Lee, Kim" <kim@customer.example> on 11/03/2026 11:33:07 AM\n${LABELS}`,
    { name: 'Lee, Kim', email: 'kim@customer.example' },
  ],
  'a label above the name': [
    `\tFrom:  Kim Lee                           11/03/2026 11:33 AM\n\t\n\t\n${LABELS}`,
    { name: 'Kim Lee', email: null },
  ],
  'somebody who sent it for the author': [
    `\tKim Lee/Sales/Customer\n\tSent by: Lou Park\n\t03.11.2026 11:33\n\n${LABELS}`,
    { name: 'Kim Lee', email: null },
  ],
  'all of it on a line': [
    '\tKim Lee 11/03/26 11:33 AM \t   To: Pat Miller/Vendor@Vendor  cc:   Subject: Export\t\n',
    { name: 'Kim Lee', email: null },
  ],
  'labels that stand alone above their values': [
    'Kim Lee <kim@customer.example> \nSent by: Lou Park\n11/03/2026 11:33 AM\n\nTo\nPat Miller/Vendor@Vendor\ncc\n\nSubject\nExport\n\n',
    { name: 'Kim Lee', email: 'kim@customer.example' },
  ],
  'such labels in Spanish': [
    'Kim Lee <kim@customer.example> \n03/11/2026 11:33\n\nPara\nPat Miller <pat@vendor.example>\ncc\nLou\nAsunto\nExport\n\n',
    { name: 'Kim Lee', email: 'kim@customer.example' },
  ],
  'whole departments': [
    `Kim Lee\n11/03/2026 11:33 AM\nTo: ${Array.from({ length: 40 }, (_, at) => `P${at} Lee/Sales@CUSTOMER, Lou \nPark${at}/Sales@CUSTOMER`).join(', ')}\ncc: \nSubject: Export\n`,
    { name: 'Kim Lee', email: null },
  ],
}

describe('a mail that Lotus Notes forwards is its author’s', () => {
  const ANNOUNCED = {
    'on one line': '----- Forwarded by Pat Miller/Sales/Vendor on 11/04/2026 09:01 AM -----',
    'broken before its time':
      '---------------------- Forwarded by Pat Miller/Sales/Vendor on 11/04/2026 \n09:01 AM ---------------------------',
    'broken within its time': '----- Forwarded by Pat Miller/Sales/Vendor on 11/04/2026 09:01\nAM -----',
    'in German': '----- Weitergeleitet von Pat Miller/Sales/Vendor am 04.11.2026 09:01 -----',
  }
  for (const [what, announcement] of Object.entries(ANNOUNCED))
    it(`announced ${what}`, async () => {
      const mail = await read(
        `For you.\n${announcement}\n\n\n${HEADS['a name, a time, the recipients']?.[0]}\n${WRITTEN}`,
      )
      assert.equal(mail.text, WRITTEN)
      assert.equal(mail.author.name, 'Kim Lee')
      assert.equal(mail.forward?.note, 'For you.')
    })
  for (const [what, [head, author]] of Object.entries(HEADS))
    it(`below ${what}`, async () => {
      const mail = await read(`For you.\n${ANNOUNCED['on one line']}\n\n${head}\n${WRITTEN}`)
      assert.equal(mail.text, WRITTEN)
      assert.deepEqual(mail.author, author)
      assert.equal(mail.subject, 'Export')
    })
  it('as mutt announces it, too', async () => {
    const mail = await read(
      `For you.\n\n----- Forwarded message from Kim Lee <kim@customer.example> -----\n\nDate: Tue, 3 Nov 2026 11:33:07 +0000\nFrom: Kim Lee <kim@customer.example>\nTo: pat@vendor.example\nSubject: Export\n\n${WRITTEN}`,
    )
    assert.equal(mail.text, WRITTEN)
    assert.equal(mail.author.email, 'kim@customer.example')
  })
})

describe('what Lotus Notes quotes is history', () => {
  for (const [what, [head]] of Object.entries(HEADS))
    it(`below ${what}`, async () => {
      const mail = await read(`It happens in Firefox, too.\nKim\n\n\n${head}\n${WRITTEN}`, 'Re: Export')
      assert.equal(mail.text, 'It happens in Firefox, too.\nKim')
      assert.ok(mail.cuts.some(({ kind, text }) => kind === 'quoted' && text.endsWith(WRITTEN)))
    })
})

describe('what a person wrote in such a form stays', () => {
  for (const text of [
    'These mails never came:\n\nKim Lee\n11/03/2026 11:33 AM\nLou Park\n11/04/2026 09:01 AM\n\nPlease look.',
    'We met:\n\nKim Lee\n11/03/2026 11:33 AM\n\nTo\nthe whole team\n\nThanks for the export!',
    'Our trip:\n\nFrom: Berlin\nTo: Paris\n11/03/2026 11:33 AM\n\nThe form takes no time.',
    'Kim Lee called on 11/03/2026 11:33 AM.\nTo: the whole team\nThanks for the export!',
    'It fails for\nKim Lee 11/03/2026 11:33 AM\nLou Park 11/04/2026 09:01 AM\nSubject: both are empty',
  ])
    it(text.slice(0, 40), async () => assert.equal((await read(text)).text, text))
})

describe('a note that is longer than metadata hold', () => {
  it('is whole among what stands beside the text, and nothing is missing', async () => {
    const note = Array.from({ length: 500 }, (_, at) => `Line ${at} of the note.`).join('\n')
    const { forward, cuts, shortened, text } = await read(
      `${note}\n\n----- Forwarded by Pat Miller on 11/04/2026 09:01 AM -----\n\n${HEADS['a name, a time, the recipients']?.[0]}\n${WRITTEN}`,
    )
    assert.equal(text, WRITTEN)
    assert.equal(forward?.note, note.slice(0, 2_000))
    assert.deepEqual(cuts[0], { kind: 'quoted', text: note })
    assert.equal(shortened, false)
  })
})
