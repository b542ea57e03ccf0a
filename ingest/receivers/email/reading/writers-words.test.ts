import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { ProjectedMail } from '../../../../schemas/http/email.ts'
import { sample } from '../samples.testing.ts'
import { readMail } from './mail.ts'
import { readMime } from './mime.ts'
import { MARKS } from './quoted-lines.ts'

const read = async (mail: string | Buffer): Promise<ProjectedMail> => {
  const reading = await readMail(Buffer.from(mail))
  assert.equal(reading.kind, 'mail')
  return reading.mail
}
const plain = (text: string, subject = 'Export') =>
  `From: kim@customer.example\r\nSubject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`

const kindsOf = (mail: ProjectedMail) => mail.cuts?.map(({ kind }) => kind)
const OWN = 'First paragraph.\n\nThe invoice page shows a blank screen.\nIt happens in Firefox only.'

/** What mail programs write above a quote whose lines they mark. */
const MARKED = [
  'On 23 Nov 2026, at 19:21, Support <s@v.example> wrote:',
  'On Mon, Nov 23, 2026 at 7:21 PM Support Team\n<s@v.example> wrote:',
  'On Mon, Nov 23, 2026 at 7:21 PM Support Team <\ns@v.example> wrote:',
  'On Mon, Nov 23, 2026 at 7:21 PM Support Team <s@v.exa\nmple> wrote:',
  'On 11/23/2026 7:21 PM, Support wrote:',
  'On 2026-11-23 19:21, Support Team via Tracker wrote:',
  'Am 23.11.2026 um 19:21 schrieb Support Team:',
  'Am Mo., 23. Nov. 2026 um 19:21 Uhr schrieb Support <s@v.example>:',
  'Support <s@v.example> schrieb am Mo., 23. Nov. 2026, 19:21:',
  'El lun, 23 nov 2026 a las 19:21, Soporte (<s@v.example>) escribió:',
  'Le lun. 23 nov. 2026 à 19:21, Support <s@v.example> a écrit :',
  'Le 23/11/2026 à 19:21, Support a écrit :',
  'Il giorno lun 23 nov 2026 alle ore 19:21 Support <s@v.example> ha scritto:',
  'Em seg., 23 de nov. de 2026 às 19:21, Suporte <s@v.example> escreveu:',
  'Op ma 23 nov. 2026 om 19:21 schreef Support <s@v.example>:',
  'W dniu 23.11.2026 o 19:21, Support pisze:',
  'pon., 23 lis 2026 o 19:21 Support <s@v.example> napisał(a):',
  'Den mån 23 nov. 2026 kl 19:21 skrev Support <s@v.example>:',
  'man. 23. nov. 2026 kl. 19:21 skrev Support <s@v.example\n>:',
  'ma 23. marrask. 2026 klo 19.21 Support (s@v.example) kirjoitti:',
  'po 23. 11. 2026 v 19:21 odesílatel Support <s@v.example> napsal:',
  'Support <s@v.example> ezt írta (időpont: 2026. nov. 23., H, 19:21):',
  'În lun., 23 nov. 2026 la 19:21, Support <s@v.example> a scris:',
  'Στις Δευ 23 Νοε 2026 στις 7:21 μ.μ., ο χρήστης Support <s@v.example> έγραψε:',
  'пн, 23 нояб. 2026 г. в 19:21, Support <s@v.example>:',
  'пн, 23 лист. 2026 р. о 19:21 Support <s@v.example> пише:',
  '23 Kas 2026 Pzt 19:21 tarihinde Support <s@v.example> şunu yazdı:',
  '2026年11月23日(月) 19:21 Support <s@v.example>:',
  'Support <s@v.example> 于2026年11月23日周一 19:21写道:',
  '2026년 11월 23일 (월) 오후 7:21, Support <s@v.example>님이 작성:',
  'On Mon, Nov 23, 2026, Support (s@v.example) said:',
  'Support Team wrote:',
]

describe('the line above a quote is cut, and no line of its author above it', () => {
  for (const attribution of MARKED) {
    for (const own of [OWN, `${OWN}\nFive\nlines\nof them.`]) {
      it(`${attribution.replaceAll('\n', '⏎')} behind ${own.split('\n').length} lines`, async () => {
        const mail = await read(plain(`${own}\n${attribution}\n\n> Which browser?\n> And which version?`, 'Re: Export'))
        assert.equal(mail.text, own)
        assert.deepEqual(kindsOf(mail), ['quoted'])
        assert.match(mail.cuts.at(-1)?.text ?? '', /Which browser\?\nAnd which version\?$/)
      })
    }
  }
})

/** What mail programs write above a quote whose lines they do not mark: with an address, or in an answer. */
const UNMARKED = [
  '---- On Mon, 23 Nov 2026 14:17:36 +0530 Support <s@v.example> wrote ----',
  '---- Am Mo, 23 Nov 2026 14:17:36 +0530 Support <s@v.example> schrieb ----',
  '---- On Mon, 23 Nov 2026 14:17:36 +0530 s@v.example wrote ---',
  'On Mon, 23 Nov 2026 08:14:43 -0200 Support <s@v.example> wrote',
  'On Mon, Nov 23, 2026 at 7:21 PM, Support (s@v.example) said:',
  '    On Monday, November 23, 2026 at 07:21:00 PM GMT+1, Support <s@v.example> wrote:  ',
  'On Nov 23, 2026, at 7:21 PM, Support Team wrote:',
  'Am 23.11.2026 um 19:21 schrieb Support Team:',
  'Support via Tracker <s@v.example> schrieb:',
  's@v.example wrote:',
  '-----Original Message-----',
  '--------- Mesaj trimis ---------\nDe la: Support <s@v.example>\nTrimis: luni, 23 noiembrie 2026 19:21\nCătre: Kim\nSubiect: Export',
  'De la: Support <s@v.example>\nTrimis: luni, 23 noiembrie 2026 19:21\nCătre: Kim\nSubiect: Export',
  'Από: Support <s@v.example>\nΣτάλθηκε: Δευτέρα, 23 Νοεμβρίου 2026 7:21 μμ\nΠρος: Kim\nΘέμα: Export',
  'Da: Support <s@v.example>\nRispondi a: Support <s@v.example>\nData: lunedì 23 novembre 2026 19:21\nA: Kim <kim@customer.example>\nOggetto: Export',
  'From: Support <s@v.example>\nSent: Monday, November 23, 2026 7:21 PM\nClassification: internal\nTo: Kim\nSubject: Export',
  '________________________________\nFrom: Support\nSent: Monday, November 23, 2026 7:21 PM\nTo: Kim\nSubject: Export',
  'Von: Support <s@v.example>\nGesendet: Montag, 23. November 2026 19:21\nAn: Kim\nVertraulichkeit: hoch\nBetreff: Export',
]

describe('a mail that is quoted without marks is cut from the line that says whose it is', () => {
  for (const above of UNMARKED) {
    for (const gap of ['\n', '\n\n']) {
      it(`${above.replaceAll('\n', '⏎')} behind ${gap.length} breaks`, async () => {
        const mail = await read(plain(`${OWN}${gap}${above}\n\nWhich browser?\n\nAnd which version?`, 'Re: Export'))
        assert.equal(mail.text, OWN)
        assert.match(mail.cuts.at(-1)?.text ?? '', /Which browser\?\n\nAnd which version\?$/)
      })
    }
  }
})

/** What looks like one of these, and is its author's own. */
const OWN_WORDS = [
  'Hi team,\n\nOn Monday 23 November 2026 our biggest customer wrote:\n"The export is unusable, we will leave in January."\n\nPlease fix the export before then.',
  'On 23 November 2026 at 10:12 our customer wrote:\n\nThe export is unusable.',
  'On 23 Nov 2026 we had a call with Kim Doe <kim@customer.example> who wrote:\n\nThe export is unusable.',
  'Our customer Kim <kim@customer.example> wrote on 23 Nov 2026:\n\nThe export is unusable.',
  'Am 23.11.2026 um 10:12 schrieb unser größter Kunde:\n\n„Der Export ist unbrauchbar.“\n\nBitte beheben.',
  'El 23 de noviembre de 2026 nuestro cliente escribió:\n\nLa exportación no funciona.',
  'Le 23 novembre 2026 notre client a écrit :\n\nL’export ne marche pas.',
  'Kim Doe <kim@customer.example> wrote:\n\nThe export is unusable.',
  'Best regards,\nKim\n\nPS: The CSV export drops the last column as well.',
  'The export is broken.\n\nSent from the export page, they have no attachment.',
  'Sent from my desk the export works, sent from my phone it does not.',
  'The export is broken.\n\nFrom my iPhone it works.',
  'Two things.\n\n--\n\nThe first is the export, which stops at ten thousand rows.\n\nThe second is the import.',
  'The export is broken.\n--\nAlso the import',
  'One\n____\nTwo is about the import, which is slow.\n____\nThree',
  'The flight is wrong:\n\nFrom: Berlin\nTo: Paris\nDate: 12 May at 10:30\n\nIt should be in June.',
  'Your notifications come with\n\nFrom: noreply@v.example\nSubject: Hello\nDate: 1 Jan 1970 00:00\n\nand the date is wrong.',
  'Name: Kim\nEmail: kim@customer.example\nDate: 23.11.2026 10:12\nProblem: the export\n\nIt stops at ten thousand rows.',
  'Thank you,\nKim Doe\nHead of Operations\n+49 30 1234567\n\nAlso, the import is slow.',
  'See below.\n\n-- \nPlease mind that the export is broken, too.\nWe need it on Monday.',
]

describe('what only looks like an attribution, headers or a signature is its author’s', () => {
  for (const text of OWN_WORDS) {
    it(text.replaceAll('\n', '⏎'), async () => {
      const mail = await read(plain(text))
      assert.deepEqual([mail.text, mail.cuts], [text.replaceAll('-- \n', '--\n'), []])
    })
  }
})

const SIGNATURES = [
  '-- \nKim Doe',
  '-- \nKim Doe\nHead of Operations\nkim@customer.example',
  '--\nKim Doe\n+49 30 1234567',
  '--\n\nKim Doe | Customer Inc.\nwww.customer.example',
  'Sent from my iPhone',
  'Sent from my Samsung Galaxy smartphone.',
  'Von meinem iPhone gesendet',
  'Envoyé de mon iPhone',
  'Enviado desde mi iPhone',
  'Inviato da iPhone',
  'Verstuurd vanaf mijn iPhone',
  'Get Outlook for iOS<https://aka.ms/o0ukef>',
  'Sent from Yahoo Mail on Android',
  'Sent from Mail for Windows',
]

describe('a signature is cut at the end only, and kept', () => {
  for (const signature of SIGNATURES) {
    for (const quote of ['', '\n\nOn 23 Nov 2026, at 19:21, Support <s@v.example> wrote:\n> Which browser?']) {
      it(`${signature.replaceAll('\n', '⏎')} ${quote === '' ? '' : 'above a quote'}`, async () => {
        const mail = await read(plain(`${OWN}\n\n${signature}${quote}`))
        assert.equal(mail.text, OWN)
        assert.deepEqual(kindsOf(mail), quote === '' ? ['signature'] : ['signature', 'quoted'])
        assert.equal(mail.cuts?.[0]?.text, signature.replace('-- \n', '--\n'))
      })
    }
  }

  it('but for a postscript below it', async () => {
    const mail = await read(plain(`${OWN}\n\n-- \nKim\n+49 30 1234567\n\nPS: The import is slow, too.`))
    assert.match(mail.text, /PS: The import is slow, too\.$/)
  })

  it('where HTML marks it, and not in the middle', async () => {
    const html = (body: string) => plain(body).replace('text/plain', 'text/html')
    const signature = '<div class="gmail_signature">Kim Doe<br>Customer Inc.</div>'
    const atEnd = await read(html(`<div>The export stops.</div>${signature}`))
    assert.deepEqual(
      [atEnd.text, atEnd.cuts],
      ['The export stops.', [{ kind: 'signature', text: 'Kim Doe\nCustomer Inc.' }]],
    )
    const inside = await read(html(`<div>The export stops.</div>${signature}<div>And the import is slow.</div>`))
    assert.equal(inside.text, 'The export stops.\nKim Doe\nCustomer Inc.\nAnd the import is slow.')
  })

  it('and a list’s footer below it is a footer', async () => {
    const footer =
      '_______________________________________________\nUsers mailing list\nhttps://lists.example/mailman/listinfo/users'
    const mail = await read(plain(`${OWN}\n\n-- \nKim Doe\n\n${footer}`))
    assert.deepEqual([mail.text, kindsOf(mail), mail.cuts?.[1]?.text], [OWN, ['signature', 'footer'], footer])
  })
})

/** How often each word stands in texts. */
const wordsIn = (...texts: readonly string[]): Readonly<Record<string, number>> => {
  const words: Record<string, number> = {}
  for (const [word] of texts.join('\n').matchAll(/[\p{L}\p{N}]+/gu)) words[`_${word}`] = (words[`_${word}`] ?? 0) + 1
  return words
}

const assertWhole = async (mail: Buffer) => {
  const reading = await readMail(mail)
  if (reading.kind !== 'mail') return
  const seen = await readMime(mail)
  const inside = seen.attachedMail === null ? '' : (await readMime(seen.attachedMail.mail)).text
  const { text, forward, cuts = [] } = reading.mail
  assert.deepEqual(
    wordsIn(text, forward?.note ?? '', ...cuts.map(cut => cut.text)),
    wordsIn(seen.text.replace(MARKS, ''), inside.replace(MARKS, '')),
  )
}

describe('no word of a mail is lost: each is in the text, the note or one of the cuts', () => {
  for (const file of readdirSync(new URL('../samples/', import.meta.url))) {
    it(file, () => assertWhole(sample(file.replace('.eml', ''))))
  }

  it('in mails that are made of everything in every order', async () => {
    const pieces = [...OWN_WORDS.slice(0, 8), ...MARKED.slice(0, 8), ...UNMARKED, ...SIGNATURES.slice(0, 6)]
    const others = [
      OWN,
      '> Which browser?',
      '>> And before?\n> Yes.',
      '--',
      '',
      '> x\n>:',
      '____________',
      'PS: And this.',
    ]
    for (const [index, piece] of pieces.entries()) {
      for (const [shift, other] of others.entries()) {
        const last = pieces[(index * 7 + shift * 3) % pieces.length]
        for (const parts of [
          [other, piece, last],
          [piece, other, piece],
          [last, piece, other],
        ])
          await assertWhole(
            Buffer.from(plain(parts.join(shift % 2 === 0 ? '\n' : '\n\n'), index % 2 === 0 ? 'Re: x' : 'x')),
          )
      }
    }
  })
})
