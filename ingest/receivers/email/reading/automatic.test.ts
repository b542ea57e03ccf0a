import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sample } from '../samples.testing.ts'
import { readMail } from './mail.ts'

const HEAD = 'From: Kim <kim@customer.example>\nTo: inbox@in.example.com\nMessage-ID: <1@customer.example>\n'

const judge = async (mail: string | Buffer, sender: string | null = null) => {
  const bytes = typeof mail === 'string' ? Buffer.from(mail.replaceAll('\n', '\r\n')) : mail
  const reading = await readMail(bytes, sender)
  assert.equal(reading.kind, 'mail')
  return reading.automatic
}
const written = (headers: string, text = 'The text.') => judge(`${HEAD}${headers}\n\n${text}\n`)

const multipart = (type: string, ...parts: readonly string[]) =>
  `Content-Type: ${type}; boundary=b\n\n${parts.map(part => `--b\n${part}\n`).join('')}--b--`

describe('one strong sign makes a mail automatic', () => {
  for (const [what, mail, kind] of [
    [
      'Auto-Submitted: auto-replied',
      `${HEAD}Subject: Re: Export\nAuto-Submitted: Auto-Replied (rule)\n\nThanks.`,
      'automatic_reply',
    ],
    ['X-Autoreply', `${HEAD}Subject: Re: Export\nX-Autoreply: yes\n\nThanks.`, 'automatic_reply'],
    ['X-Autorespond', `${HEAD}Subject: Re: Export\nX-Autorespond: Export\n\nThanks.`, 'automatic_reply'],
    ['Precedence: auto_reply', `${HEAD}Subject: Re: Export\nPrecedence: auto_reply\n\nThanks.`, 'automatic_reply'],
    ['a null return path', `Return-Path: <>\n${HEAD}Subject: Export\n\nThanks.`, 'automatic_reply'],
    [
      'a report of delivery',
      `${HEAD}Subject: Export\n${multipart('multipart/report; report-type=delivery-status', 'Content-Type: text/plain\n\nIt failed.', 'Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example')}`,
      'delivery_report',
    ],
    [
      'a receipt of a read mail',
      `${HEAD}Subject: Read: Export\n${multipart('multipart/report; report-type=disposition-notification', 'Content-Type: text/plain\n\nIt was read.', 'Content-Type: message/disposition-notification\n\nDisposition: manual-action/MDN-sent-manually; displayed')}`,
      'read_receipt',
    ],
    [
      'an answer to an invitation',
      `${HEAD}Subject: Accepted: Demo\n${multipart('multipart/alternative', 'Content-Type: text/plain\n\nKim accepted.', 'Content-Type: text/calendar; charset=utf-8;\n method=REPLY\n\nBEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR')}`,
      'calendar_reply',
    ],
    ['a mail server as the sender', 'From: MAILER-DAEMON@mx.example\nSubject: x\n\nSomething.', 'delivery_report'],
    [
      'postmaster, with the form of a report',
      'From: Postmaster <postmaster@mx.example>\nSubject: Undeliverable: Export\n\nIt did not reach anna@customer.example.',
      'delivery_report',
    ],
  ] as const) {
    it(what, async () => assert.equal((await judge(mail))?.kind, kind))
  }

  it('the empty sender of the envelope', async () => {
    assert.deepEqual(await judge(sample('gmail-reply'), ''), { kind: 'automatic_reply', sign: 'null_sender' })
  })
  for (const type of ['constructor', '__proto__'])
    it(`no type that is called as a property of every object is: ${type}`, async () =>
      assert.equal(await written(`Subject: Export\nContent-Type: ${type}`), null))
  for (const name of ['bounce', 'out-of-office', 'vacation'])
    it(`${name}, as a program wrote it`, async () => assert.notEqual(await judge(sample(name)), null))
})

describe('a subject counts with a second sign alone', () => {
  for (const subject of [
    'Automatic reply: Export',
    'Automatische Antwort: Export',
    'Réponse automatique : Export',
    'Respuesta automática: Export',
    'Risposta automatica: Export',
    'Resposta automática: Export',
    'Automatisch antwoord: Export',
    'Autosvar: Export',
    'Automaattinen vastaus: Export',
    'Automatyczna odpowiedź: Export',
    'Automatická odpověď: Export',
    'Otomatik yanıt: Export',
    'Автоответ: Export',
    'Αυτόματη απάντηση: Export',
    '自动回复: Export',
    '自動応答: Export',
    '자동 회신: Export',
  ]) {
    it(subject, async () => {
      const headers = `Subject: ${subject}\nX-Auto-Response-Suppress: All`
      assert.equal(await written(headers), null)
      assert.equal((await written(`${headers}\nIn-Reply-To: <0@vendor.example>`))?.kind, 'automatic_reply')
      assert.equal((await written(`${headers}\nAuto-Submitted: auto-generated`))?.kind, 'automatic_reply')
    })
  }
  it('a report’s, with the form of one', async () => {
    const text = 'Your message could not be delivered.\n\n<anna@customer.example>:\n550 5.1.1 User unknown'
    assert.equal((await written('Subject: Mail delivery failed', text))?.kind, 'delivery_report')
  })
})

describe('an answer of a program that writes no header about it', () => {
  for (const [what, headers, text] of [
    ['of Lotus Notes', 'Subject: AUTO: Lee, Kim is out of the office. (returning 01/05/2026)', 'Note: automated.'],
    ['of Lotus Notes, in German', 'Subject: AUTO: Kim Lee ist außer Haus (Rückkehr am 05.01.2026)', 'Danke.'],
    [
      'of an older Lotus Notes',
      'Subject: [list] Kim Lee/Sales/Customer is out of the office.',
      'I will be out of the office starting  12/23/2025 and will not return until 01/05/2026.',
    ],
    [
      'of an older Lotus Notes, in German',
      'Subject: Kim Lee ist außer Haus.',
      'Ich werde ab  23.12.2025 nicht im Büro sein. Ich kehre zurück am 05.01.2026.',
    ],
    ['in brackets before the subject', 'Subject: [Automatyczna odpowiedź] Export\nPrecedence: junk', 'Dziękuję.'],
    [
      'that names itself',
      'Subject: Re: kim@customer.example',
      'This is an automated response to a message you have sent.\n\nI will be out of the office until Monday.',
    ],
    ['that confirms', 'Subject: Case 12 - Acknowledgement of receipt\nAuto-Submitted: auto-generated', 'We handle it.'],
    [
      'of a list, about a mail that waits',
      'Subject: Your message to exports awaits approval\nX-List-Administrivia: yes',
      'It waits.',
    ],
    [
      'of Notes, by its subject and header',
      'Subject: Kim Lee/Sales is out of the office\nAuto-Submitted: auto-generated',
      'Soon.',
    ],
    [
      'of Notes, without a name',
      'Subject: is out of the office.',
      'I will be out of the office starting  09/08/2026 and will not return until\n09/11/2026.',
    ],
    ['named with its sender', 'Subject: Automatic reply from Kim Lee', 'I am out of the office.'],
    ['that asks for a click', 'Subject: Re: Export\nX-Boxtrapper: 1', 'Click to have your address added.'],
  ] as const) {
    it(what, async () => assert.equal((await written(headers, text))?.kind, 'automatic_reply'))
  }
  for (const from of [
    'auto-reply@customer.example',
    'Majordomo@lists.example',
    'kim@customer.example (via the vacation program)',
    'kim@customer.example (Mail AutoResponder)',
    'Customer Autoresponder <news@customer.example>',
    'daemon@news.example (System Daemon)',
  ])
    it(`by its sender, ${from}`, async () =>
      assert.equal((await judge(`From: ${from}\nSubject: Export\n\nThanks.\n`))?.kind, 'automatic_reply'))
  for (const subject of ['Command confirmation request (6329BE1B)', 'You are now subscribed to the EXPORTS list'])
    it(`of a list, ${subject}`, async () => {
      const from = '"List server at Lists (1.8d)" <LISTSERV@lists.example>'
      assert.equal((await judge(`From: ${from}\nSubject: ${subject}\n\nOK.\n`))?.kind, 'automatic_reply')
    })
  it('by its subject and its first words', async () => {
    const text = '-----  The following text is an automated response to your message  -----\n\nWe are a shop.'
    assert.equal((await written('Subject: Auto Reply to your message ...', text))?.kind, 'automatic_reply')
  })
  it('a complaint of a provider’s that brings the mail', async () => {
    const brings = 'Content-Type: message/rfc822\n\nFrom: Pat <pat@vendor.example>\nSubject: News\n\nOur news.'
    const mail = `${HEAD}Subject: complaint about message from 192.0.2.7\n${multipart('multipart/mixed', brings)}`
    assert.equal((await judge(mail))?.kind, 'delivery_report')
  })
  for (const [what, mail] of [
    [
      'a report in JSON',
      'From: no-reply@sns.vendor.example\nSubject: AWS Notification Message\n\n{"notificationType":"Bounce","bounce":{}}\n',
    ],
    [
      'a list that knows no such member',
      'From: exports-admin@lists.example\nSubject: You kim@customer.example are not member (exports ML)\n\nSend a guide.\n',
    ],
  ] as const)
    it(what, async () => assert.equal((await judge(mail))?.kind, 'delivery_report'))
  it('a report below empty lines', async () => {
    const mail = `   \n\nReturn-Path: <>\n${HEAD}Subject: failure notice\n\nNo such user.\n`
    assert.equal((await judge(mail))?.kind, 'delivery_report')
  })
})

describe('what a person may have written stays', () => {
  for (const [what, headers, text] of [
    ['from Exchange', 'Subject: Export\nX-Auto-Response-Suppress: All', 'It fails.'],
    [
      'an answer from Exchange',
      'Subject: Re: Export\nX-Auto-Response-Suppress: DR, OOF\nIn-Reply-To: <0@x>',
      'It fails.',
    ],
    [
      'about automatic replies',
      'Subject: Automatic replies are sent twice',
      'When I am out of the office, two are sent.',
    ],
    ['an answer about them', 'Subject: Re: Automatic reply: Export\nIn-Reply-To: <0@x>', 'This reply made no sense.'],
    ['of one whose subject is such a name', 'Subject: Out of office', 'Please add a switch for it.'],
    [
      'about a failed delivery',
      'Subject: Mail delivery failed',
      'Hi,\n\nour invitations could not be delivered: 550 5.1.1',
    ],
    ['about a failed delivery, quickly', 'Subject: Undeliverable', 'Invitations bounce since Monday, please look.'],
    ['that a colleague is away', 'Subject: Kim Lee is out of the office', 'I will be on vacation, too, from Monday.'],
    ['that they are away', 'Subject: On vacation from Jan 9 to Jan 13', 'Hi, next week I will be on vacation.'],
    ['that somebody else was', 'Subject: Absence of our admin', 'I will be on leave, so who approves?'],
    ['about cars', 'Subject: Auto: the export of our fleet', 'I am out of the office until Monday, so write to Lou.'],
    ['about such an answer', 'Subject: Support', '“This is an automated response to your message” is all I get.'],
    [
      'that confirms something',
      'Subject: Acknowledgement of receipt\nIn-Reply-To: <0@x>',
      'It came. The lid is cracked.',
    ],
    ['about a complaint', 'Subject: Complaint about messages from your team', 'They come at night.'],
    ['in a list', 'Subject: Export\nPrecedence: bulk\nList-Id: <a.example>', 'It fails.'],
    ['in a form’s notification', 'Subject: Contact form\nAuto-Submitted: auto-generated', 'Please add single sign-on.'],
    ['by a list’s member', 'Subject: Export\nX-List-Administrivia: no\nPrecedence: list', 'It fails.'],
    [
      'about automatic replies, by one who quotes',
      'Subject: Your automatic replies',
      'What is an automated response for?',
    ],
    ['about membership', 'Subject: You kim@customer.example are not a member, it says', 'Why? I pay for it.'],
    ['with Auto-Submitted: no', 'Subject: Export\nAuto-Submitted: no', 'It fails.'],
    ['an invitation', 'Subject: Demo\nContent-Type: text/plain; method=REQUEST', 'Shall we talk about the export?'],
  ] as const) {
    it(what, async () => assert.equal(await written(headers, text), null))
  }
  it('of a member, under the address of a list', async () => {
    assert.equal(await judge('From: email list server <listserv@lists.example>\nSubject: Export\n\nIt fails.'), null)
  })
  it('from a postmaster who asks something', async () => {
    assert.equal(await judge('From: postmaster@customer.example\nSubject: Export\n\nCan you add SAML?'), null)
  })
})

describe('a mail that is forwarded', () => {
  const forward = (note: string) =>
    `${HEAD}Subject: Fwd: failure notice\n\n${note}\n\n---------- Forwarded message ---------\nFrom: <MAILER-DAEMON@mx.example>\nDate: Tue, 4 Mar 2025 at 10:12\nSubject: failure notice\nTo: <kim@customer.example>\n\nHi. This is the qmail-send program.\n`
  const attached = (note: string) =>
    `${HEAD}Subject: Fwd: x\n${multipart('multipart/mixed', `Content-Type: text/plain\n\n${note}`, 'Content-Type: message/rfc822\n\nFrom: Ann <ann@customer.example>\nSubject: Re: x\nAuto-Submitted: auto-replied\n\nI am away.')}`

  for (const [way, mail] of [
    ['inline', forward],
    ['attached', attached],
  ] as const) {
    it(`${way}: is what the inner one is`, async () => assert.notEqual(await judge(mail('')), null))
    it(`${way}: is its forwarder’s, who wrote something above it`, async () =>
      assert.equal(await judge(mail('Every invitation of yours comes back like this.')), null))
  }
})
