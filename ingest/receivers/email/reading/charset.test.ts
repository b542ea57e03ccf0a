import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import iconv from 'iconv-lite'
import { readText } from './charset.ts'
import { readMail } from './mail.ts'

/** What people write, in the charsets of the programs that do not say which one they use. */
const UNDECLARED: Readonly<Record<string, readonly string[]>> = {
  'windows-1252': [
    'L’export s’arrête à 10 000 lignes, c’est gênant.',
    'Die Größe der Anhänge ist auf 5 MB begrenzt.',
    'La exportación sigue parándose.',
    'Hjálp! Útflutningurinn stöðvast alltaf.',
    'Jeg kan ikke åbne siden, når jeg prøver på min telefon.',
    'It costs £50 per seat.',
    'The “Reports” page – it’s blank…',
  ],
  'windows-1250': [
    'Eksport nadal się zatrzymuje, proszę o pomoc w tej sprawie.',
    'Export se stále zastavuje a nevím proč.',
  ],
  'iso-8859-2': [
    'Jeśli wyślę źle zapisany plik, aplikacja się zawiesza.',
    'Tlačítko pro uložení nefunguje, když je soubor příliš velký.',
    'Tlačidlo nefunguje a Tomáš nevie čo ďalej.',
  ],
  'iso-8859-15': ['Le prix est de 10 € par mois, voilà le cœur du problème.'],
  'windows-1251': ['Экспорт прерывается на десятой тысяче строк.', 'Ошибка входа'],
  'koi8-r': ['Вход занимает больше минуты.'],
  'windows-1253': ['Η εξαγωγή σταματά συνεχώς και δεν ξέρω γιατί.'],
  'windows-1254': [
    'Dışa aktarma hâlâ duruyor, lütfen yardım edin.',
    'Bu özelliği kullanmak istiyorum ama bulamadım. Nerede olduğunu söyler misiniz?',
  ],
  'windows-1255': ['הייצוא עדיין נעצר ואיני יודע למה.'],
  'windows-1256': ['يتوقف التصدير دائما ولا أعرف السبب.'],
  shift_jis: ['検索がアーカイブを見つけません。', 'ま、ま、まさかの（エラー）です。', 'アプリ'],
  'euc-jp': ['通知が二回届きます。'],
  gb18030: ['导出在一万行处中断。'],
  big5: ['匯出在一萬行處中斷。'],
  'euc-kr': ['앱이 매일 로그아웃됩니다.'],
  'utf-8': ['L’export s’arrête à 10 000 lignes.', '导出在一万行处中断。'],
}

describe('bytes whose charset nobody says, or says wrongly, are read', () => {
  for (const [charset, texts] of Object.entries(UNDECLARED)) {
    for (const declared of ['', 'us-ascii', 'utf-8', 'x-unknown', 'unknown-8bit', 'nobody-knows']) {
      it(`${charset}, declared as ${declared || 'nothing'}`, () => {
        for (const text of texts) assert.equal(readText(iconv.encode(text, charset), declared, false), text)
      })
    }
  }

  it('and a long text whose characters are cut where the look at it ends', () => {
    for (const [charset, text] of [
      ['gb18030', '导出在一万行处中断。'],
      ['shift_jis', '検索が遅い。'],
      ['euc-kr', '앱이 매일 로그아웃됩니다.'],
    ] as const) {
      for (const before of ['', 'a', 'ab'])
        assert.equal(readText(iconv.encode(before + text.repeat(150), charset), '', false), before + text.repeat(150))
    }
  })

  it('as HTML says, where nothing else does', async () => {
    const html = (charset: string, text: string) =>
      Buffer.concat([
        Buffer.from('From: a@customer.example\r\nSubject: s\r\nContent-Type: text/html\r\n\r\n'),
        Buffer.from(
          `<html><head><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=${charset}"></head><body>`,
        ),
        iconv.encode(text, charset),
      ])
    for (const [charset, text] of [
      ['iso-8859-1', 'La taille est limitée.'],
      ['windows-1251', 'Вход'],
      ['iso-8859-2', 'Błąd'],
      ['iso-8859-7', 'Σφάλμα'],
    ] as const) {
      const reading = await readMail(html(charset, text))
      assert.equal(reading.kind === 'mail' && reading.mail.text, text)
    }
  })

  it('as what loses least, where nothing fits: broken UTF-8 keeps the rest of it, and no byte becomes U+FFFD', () => {
    const broken = Buffer.concat([Buffer.from('Größe und Übersicht – gut, caf'), Buffer.from([0xe9, 0x20, 0x81])])
    assert.equal(readText(broken, 'utf-8', false), 'Größe und Übersicht – gut, café \u0081')
    for (let byte = 0x80; byte <= 0xff; byte += 1) {
      for (const declared of ['', 'utf-8', 'shift_jis', 'euc-kr']) {
        const text = readText(
          Buffer.concat([Buffer.from('a '), Buffer.from([byte]), Buffer.from(' b')]),
          declared,
          false,
        )
        assert.doesNotMatch(text, /\ufffd/, `${byte} as ${declared}`)
      }
    }
  })

  it('and what somebody wrote as U+FFFD stays', () =>
    assert.equal(readText(Buffer.from('Größe: \ufffd'), 'utf-8', false), 'Größe: \ufffd'))

  it('in the subject and the name, too', async () => {
    const headers = (subject: string, name: string) =>
      Buffer.from(`From: ${name} <a@customer.example>\r\nSubject: ${subject}\r\n\r\nx`, 'latin1')
    for (const [subject, name] of [
      ['Größe der Anhänge', 'José Núñez'],
      [Buffer.from('Größe der Anhänge').toString('latin1'), Buffer.from('José Núñez').toString('latin1')],
      ['=?unknown-8bit?Q?Gr=F6=DFe_der_Anh=E4nge?=', '=?x-unknown?B?Sm9z6SBO+vFleg==?='],
    ] as const) {
      const reading = await readMail(headers(subject, name))
      assert.deepEqual(reading.kind === 'mail' && [reading.mail.subject, reading.mail.author.name], [
        'Größe der Anhänge',
        'José Núñez',
      ])
    }
  })

  it('a charset that UTF-7 and others of seven bits declare is undone', () => {
    assert.equal(readText(Buffer.from('Gr+APYA3w-e'), 'utf-7', false), 'Größe')
    assert.equal(readText(iconv.encode('Größe', 'utf-16le'), 'utf-16le', false), 'Größe')
    assert.equal(
      readText(Buffer.concat([Buffer.from([0xff, 0xfe]), iconv.encode('Größe', 'utf-16le')]), '', false),
      'Größe',
    )
  })
})
