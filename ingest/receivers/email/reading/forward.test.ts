import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProjectedMail } from '../../../../schemas/http/email.ts'
import { readMail } from './mail.ts'

const read = async (text: string, subject: string, headers = ''): Promise<ProjectedMail> => {
  const head = `From: Pat <pat@vendor.example>\nSubject: ${subject}\n${headers}Content-Type: text/plain; charset=utf-8\n\n`
  const reading = await readMail(Buffer.from(head + text))
  assert.equal(reading.kind, 'mail')
  return reading.mail
}

const SAID = 'The export stops at ten thousand rows.'
const KIM = { name: 'Kim Lee', email: 'kim@customer.example' }
const NAMED = 'Kim Lee <kim@customer.example>'

const FORMS: Readonly<Record<string, readonly [text: string, subject?: string]>> = {
  'Apple Mail, in Danish': [
    `Start på videresendt besked:\n\nFra: ${NAMED}\nEmne: Export\nDato: 3. november 2026 kl. 11.33\nTil: pat@vendor.example\n\n${SAID}`,
  ],
  'Apple Mail, in Croatian': [
    `Započni proslijeđenu poruku:\n\nŠalje: ${NAMED}\nPredmet: Export\nDatum: 3. studenoga 2026. u 11:33\nPrima: pat@vendor.example\n\n${SAID}`,
  ],
  'Apple Mail, in Turkish': [
    `İleti başlangıcı:\n\nKimden: ${NAMED}\nKonu: Export\nTarih: 3 Kasım 2026 11:33\nKime: pat@vendor.example\n\n${SAID}`,
  ],
  'Apple Mail, in Ukrainian': [
    `Початок листа, що пересилається:\n\nВід: ${NAMED}\nТема: Export\nДата: 3 листопада 2026 р. о 11:33\nКому: pat@vendor.example\n\n${SAID}`,
  ],
  'Thunderbird, in Hungarian': [
    `-------- Továbbított üzenet --------\nTárgy: \tExport\nDátum: \tTue, 3 Nov 2026 11:33:07 +0000\nFeladó: \t${NAMED}\nCímzett: \tpat@vendor.example\n\n${SAID}`,
  ],
  'Thunderbird, in Finnish': [
    `-------- Välitetty viesti / Fwd.Msg --------\nAihe: \tExport\nPäiväys: \tTue, 3 Nov 2026 11:33:07 +0000\nLähettäjä: \t${NAMED}\nVastaanottaja: \tpat@vendor.example\n\n${SAID}`,
  ],
  'Yahoo, on one line': [
    `  ----- Forwarded Message ----- From: ${NAMED}To: "pat@vendor.example" <pat@vendor.example>Sent: Tuesday, November 3, 2026 at 11:33:07 AM GMTSubject: Export\n${SAID}`,
  ],
  'Yahoo, on one line, in Spanish': [
    `----- Mensaje reenviado ----- De: ${NAMED}Para: "pat@vendor.example" <pat@vendor.example>Enviado: martes, 3 de noviembre de 2026 11:33:07Asunto: Export\n${SAID}`,
  ],
  'Yahoo, on one line, in French': [
    `----- Message transmis ----- De : ${NAMED}À : "pat@vendor.example" <pat@vendor.example>Envoyé : mardi 3 novembre 2026 à 11:33:07 UTCObjet : Export\n${SAID}`,
  ],
  'HubSpot, in Japanese': [
    `---------- メッセージを転送 ---------\n送信元：${NAMED}\n日付：2026年11月3日火曜日 11:33:07 +0000\n件名：Export\n宛先：pat@vendor.example\n\n${SAID}`,
  ],
  'MailMate, with its marks': [
    `Forwarded message:\n\n> From: ${NAMED}\n> To: pat@vendor.example\n> Subject: Export\n> Date: Tue, 3 Nov 2026 11:33:07 +0000\n>\n> ${SAID}`,
  ],
  'Outlook for Mac, by an attribution': [
    `On 03/11/2026 11:33, "Kim Lee" <kim@customer.example> wrote:\n\n    ${SAID}`,
    'FW: Export',
  ],
  'the same in Danish': [
    `Fra: ${NAMED}\nDato: tirsdag, 3. november 2026 kl. 11.33\nTil: pat@vendor.example\nEmne: Export\n${SAID}`,
    'VS: Export',
  ],
  'Ionos, where nothing stands above': [
    `---------- Original Message ----------\nFrom: ${NAMED}\nTo: pat@vendor.example\nDate: 11/03/2026 11:33 AM\nSubject: Export\n\n${SAID}`,
  ],
  'Eudora, with all headers': [
    `--- begin forwarded text\n\nX-Sender: kim@mail.customer.example\nMime-Version: 1.0\nDate: Tue, 3 Nov 2026 11:33:07 +0000\nTo: pat@vendor.example\nFrom: ${NAMED}\nSubject: Export\nSender: kim@customer.example\n\n${SAID}\n\n--- end forwarded text`,
  ],
  'MH, with all headers': [
    `------- Forwarded Message\n\nReturn-Path: kim@customer.example\nReceived: from mx.example by mx.vendor.example;\n\tTue, 3 Nov 2026 11:33:07 +0000\nFrom: kim@customer.example (Kim Lee)\nSubject: Export\n\n${SAID}`,
  ],
  'Thunderbird, in Polish': [
    `--- Treść przekazanej wiadomości ---\nTemat: \tExport\nData: \tTue, 3 Nov 2026 11:33:07 +0000\nNadawca: \t${NAMED}\nAdresat: \tpat@vendor.example\n\n${SAID}`,
  ],
}

describe('a mail that is forwarded is its author’s', () => {
  for (const [what, [text, subject = 'Export']] of Object.entries(FORMS)) {
    it(what, async () => {
      const mail = await read(text, subject)
      assert.deepEqual([mail.author, mail.text.trim(), mail.subject], [KIM, SAID, 'Export'])
      assert.deepEqual([mail.forward?.by.email, mail.forward?.note], ['pat@vendor.example', ''])
    })
    if (!what.includes('nothing stands above'))
      it(`${what}, below what the forwarder wrote`, async () => {
        const mail = await read(`For you.\n\n${text}`, subject)
        assert.deepEqual([mail.author, mail.text.trim(), mail.forward?.note], [KIM, SAID, 'For you.'])
      })
  }
  it('what stands behind its end is the forwarder’s', async () => {
    const mail = await read(`${FORMS['Eudora, with all headers']?.[0]}\n\nPlease look at it.`, 'Export')
    assert.equal(mail.text.trim(), SAID)
    assert.equal(mail.forward?.note, 'Please look at it.')
    assert.ok(mail.cuts.some(({ text }) => text.includes('--- end forwarded text')))
  })
})

describe('who answers what is forwarded forwards nothing', () => {
  const marked = `Forwarded message:\n> From: ${NAMED}\n> Date: Tue, 3 Nov 2026 11:33:07 +0000\n> Subject: Export\n> \n> ${SAID}`
  for (const [what, text] of Object.entries({
    'below its lines': `${marked}\n\nI see the same.`,
    'between its lines': `${marked}\n\nI see the same.\n\n> It began on Monday.`,
  }))
    it(what, async () => {
      const mail = await read(text, 'Re: Export (fwd)')
      assert.equal(mail.forward, null)
      assert.match(mail.text, /I see the same\.$/)
      assert.equal(mail.author.email, 'pat@vendor.example')
    })
  it('an answer without a word is its author’s', async () => {
    const text = `-----Original Message-----\nFrom: ${NAMED}\nSent: 11/03/2026 11:33 AM\nTo: pat@vendor.example\nSubject: Export\n\n${SAID}`
    for (const [subject, headers] of [
      ['Re: Export', ''],
      ['Export', 'In-Reply-To: <1@customer.example>\n'],
    ] as const)
      assert.equal((await read(text, subject, headers)).forward, null)
  })
})
