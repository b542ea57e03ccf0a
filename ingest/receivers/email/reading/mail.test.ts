import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProjectedMail } from '../../../../schemas/http/email.ts'
import { sample } from '../samples.testing.ts'
import { readMail } from './mail.ts'

const read = async (mail: string | Buffer): Promise<ProjectedMail> => {
  const reading = await readMail(Buffer.isBuffer(mail) ? mail : Buffer.from(mail.replaceAll('\n', '\r\n')))
  assert.equal(reading.kind, 'mail')
  return reading.mail
}

describe('an answer is what its author wrote this time', () => {
  const ANSWERS = {
    'gmail-reply':
      'The CSV export still stops at 10,000 rows. We need all of them for the yearly\naudit, otherwise we cannot use it.',
    'gmail-reply-de': 'Der Export bricht weiterhin ab.',
    'gmail-reply-es': 'La exportación sigue parándose.',
    'gmail-reply-fr': 'L’export s’arrête toujours à 10 000 lignes.',
    'gmail-reply-it': 'L’esportazione si ferma ancora.',
    'gmail-reply-ja': 'エクスポートがまだ途中で止まります。',
    'gmail-reply-ko': '내보내기가 여전히 멈춥니다.',
    'gmail-reply-nl': 'De export stopt nog steeds.',
    'gmail-reply-pl': 'Eksport nadal się zatrzymuje.',
    'gmail-reply-pt': 'A exportação continua parando.',
    'gmail-reply-ru': 'Экспорт по-прежнему прерывается.',
    'gmail-reply-sv': 'Exporten stannar fortfarande.',
    'gmail-reply-tr': 'Dışa aktarma hâlâ duruyor.',
    'gmail-reply-zh': '导出仍然会中断。',
    'outlook-reply': 'We can’t open the “Reports” page – it stays blank.\n\nKind regards,\nA Customer',
    'outlook-original-message': 'The invoice shows the wrong VAT number.',
    'outlook-web-reply-fr': 'La synchronisation échoue tous les matins à 9 h.',
    'apple-mail-reply': 'Notifications come twice, once on the phone and once by mail.',
    'thunderbird-reply': 'No, it never does, although the setting for archived items is switched on.\n\nThat works.',
    'yahoo-reply': 'The mobile app logs me out every day.',
    'yahoo-reply-html': 'The mobile app logs me out every day.',
  }
  for (const [name, newest] of Object.entries(ANSWERS)) {
    it(`${name}: the rest is quoted`, async () => {
      const { text, cuts, forward } = await read(sample(name))
      assert.equal(text, newest)
      assert.match(cuts.find(({ kind }) => kind === 'quoted')?.text ?? '', /The Support Desk/)
      assert.equal(forward, null)
    })
  }

  it('keeps one thread together, whichever of its mails it is', async () => {
    const [one, other] = await Promise.all(['apple-mail-reply', 'outlook-reply'].map(name => read(sample(name))))
    assert.match(one?.thread ?? '', /^t[a-p]{16}$/)
    assert.equal(one?.thread, other?.thread)
  })
})

describe('a forwarded mail is its author’s, at the time when they wrote it', () => {
  const customer = { name: 'A Customer', email: 'customer@example.com' }
  const FORWARDS = {
    'gmail-forward': [
      customer,
      'The dashboard takes 40 seconds to load since the last release.',
      '10:12:00',
      'Third customer this week.',
    ],
    'apple-mail-forward': [
      customer,
      'Could the app work offline? On the train I cannot enter anything.',
      '09:12:33',
      '',
    ],
    'thunderbird-forward': [customer, 'The import loses the time zone of every date.', '09:12:00', ''],
    'outlook-forward-de': [
      { ...customer, name: 'Ein Kunde' },
      'Die Anmeldung dauert über eine Minute.',
      '10:12:00',
      'Bitte aufnehmen.',
    ],
    'attached-mail': [
      { ...customer, name: 'Größte Kundin' },
      'We need a role that may read everything and change nothing – for auditors.',
      '09:12:00',
      'For the roadmap.',
    ],
  } as const
  for (const [name, [author, text, time, note]] of Object.entries(FORWARDS)) {
    it(name, async () => {
      const mail = await read(sample(name))
      assert.deepEqual(mail.author, author)
      assert.equal(mail.text, text)
      assert.equal(mail.occurred_at, Date.parse(`2025-03-04T${time}Z`))
      assert.equal(mail.forward?.note, note)
      assert.equal(mail.forward?.by.email, 'support@example.org')
    })
  }
})

describe('what a mail is written in', () => {
  const CHARSETS = {
    'iso-8859-1': ['Größe der Anhänge', 'Die Größe der Anhänge ist auf 5 MB begrenzt.'],
    'iso-8859-15': ['Prix en €', "Le prix en € n'apparaît pas dans l'œuvre."],
    'windows-1252': ['“Reports” page', 'The “Reports” page – it’s blank…'],
    'windows-1251': ['Ошибка экспорта', 'Экспорт прерывается на десятой тысяче строк.'],
    'koi8-r': ['Ошибка входа', 'Вход занимает больше минуты.'],
    shift_jis: ['検索の不具合', '検索がアーカイブを見つけません。'],
    'iso-2022-jp': ['通知の不具合', '通知が二回届きます。'],
    gb18030: ['导出问题', '导出在一万行处中断。'],
    'euc-kr': ['로그인 문제', '앱이 매일 로그아웃됩니다.'],
  } as const
  for (const [charset, [subject, text]] of Object.entries(CHARSETS)) {
    it(`${charset}, in the text, the subject and the name`, async () => {
      const mail = await read(sample(`charset-${charset}`))
      assert.deepEqual([mail.subject, mail.text, mail.author.name], [subject, text, subject])
    })
  }

  it('is read past the hidden text, the pictures and the links of HTML', async () => {
    const { text } = await read(sample('html-only'))
    assert.equal(text, 'Feature request\n\nLet us sort the board\n\nby customer value.\n\nSee the page.')
  })

  it('is the HTML where the plain text only says that there is none', async () => {
    const { text } = await read(`From: a@example.com
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain

No HTML?
--b
Content-Type: text/html

<p>The export stops at ten thousand rows.</p>
--b--`)
    assert.equal(text, 'The export stops at ten thousand rows.')
  })

  it('lists attachments, with their names, and keeps none', async () => {
    const mail = await read(sample('attachments'))
    assert.equal(mail.text, 'The page breaks when I press Save.')
    assert.deepEqual(mail.attachments, [
      { name: 'shot.png', type: 'image/png', size: 200 },
      { name: 'Übersicht.pdf', type: 'application/pdf', size: 90 },
    ])
  })
})

describe('mail that programs write', () => {
  it('is not refused where it shows neither a subject nor a text: nobody waits for an answer', async () => {
    const mail = Buffer.from('Return-Path: <>\r\nFrom: MAILER-DAEMON@example.com\r\n\r\n')
    assert.deepEqual(await readMail(mail), { kind: 'ignored' })
  })

  it('says something when it is a form’s notification', async () => {
    const mail = await read(sample('form'))
    assert.equal(mail.text, 'Message: Please add single sign-on.')
    assert.equal(mail.automatic, true)
  })
})

describe('a text that only looks like a thread', () => {
  const plain = (text: string) => read(`From: a@example.com\nSubject: s\n\n${text}`)

  it('is whole when its author speaks of somebody who wrote something', async () => {
    const text = 'As our admin wrote:\nthe import fails.\n\nFrom: is a column of ours, and\nTo: is another.'
    assert.equal((await plain(text)).text, text)
  })

  it('is whole when its author draws a rule in the middle of it', async () => {
    const text = `Two things.\n\n----\n\n${'The first takes many words to say.\n'.repeat(30)}\nThe second does not.`
    assert.equal((await plain(text)).text, text)
  })

  it('is whole when everything is quoted: somebody sent it', async () => {
    const { text, cuts } = await plain('> The export fails.\n> It did so before.')
    assert.deepEqual([text, cuts], ['The export fails.\nIt did so before.', []])
  })
})

describe('what a mail may leave out or have too much of', () => {
  it('is its subject, when it has no text', async () => {
    assert.deepEqual(await read('From: a@example.com\nSubject: Re: The export fails\n\n'), {
      subject: 'The export fails',
      text: '',
      cuts: [],
      author: { name: null, email: 'a@example.com' },
      occurred_at: null,
      forward: null,
      automatic: false,
      thread: null,
      attachments: [],
      attachment_count: 0,
      shortened: false,
    })
  })

  it('is not readable with neither', async () => {
    for (const mail of ['', 'From: a@example.com\r\n\r\n', 'Subject: Re:\r\n\r\n \r\n']) {
      assert.deepEqual(await readMail(Buffer.from(mail)), { kind: 'unreadable', reason: 'without_text' })
    }
  })

  it('is cut to what a signal may have, between characters, and says so: the rest is beside it', async () => {
    const mail = await read(`Subject: ${'s'.repeat(2000)}\n\n${'👍'.repeat(60_000)}`)
    assert.equal(mail.shortened, true)
    assert.equal(Array.from(mail.text + mail.subject).length, 49_998)
    assert.match(mail.text, /^👍+$/u)
    assert.deepEqual(
      mail.cuts.map(({ kind, text }) => [kind, Array.from(text).length]),
      [
        ['quoted', 2_000],
        ['quoted', 60_000 - 48_998],
      ],
    )
  })

  it('is beside the text beyond what is parted, from the end of a line on', async () => {
    const lines = Array.from({ length: 20_000 }, (_, number) => `The line n${number} of it.`)
    const long = lines.join('\n')
    const forwarded = `For you.\n\n---------- Forwarded message ---------\nFrom: Kim <kim@c.example>\nDate: Tue, 3 Nov 2026 11:33:07 +0000\nSubject: s\nTo: <pat@v.example>\n\n${long}`
    for (const mail of [await read(`Subject: s\n\n${long}`), await read(`Subject: Fwd: s\n\n${forwarded}`)]) {
      assert.equal(mail.shortened, true)
      const kept = [mail.text, ...mail.cuts.map(({ text }) => text)].join('\n').split(/\s+/)
      assert.equal(new Set(kept.filter(word => /^n\d+$/.test(word))).size, lines.length)
    }
  })

  it('has no date that cannot be one', async () => {
    for (const date of ['yesterday', 'Tue, 31 Feb 2025 10:00:00 +0000', 'Tue, 4 Mar 2025 25:00:00 +0000', '3/4/2025']) {
      assert.equal((await read(`Date: ${date}\n\nx`)).occurred_at, null, date)
    }
  })
})
