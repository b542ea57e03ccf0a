import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProjectedMail } from '../../../../schemas/http/email.ts'
import { readMail } from './mail.ts'
import { htmlText } from './visible-html.ts'

const HEAD = 'From: kim@customer.example\nSubject: Export\nMIME-Version: 1.0\n'
const read = async (mail: string): Promise<ProjectedMail> => {
  const reading = await readMail(Buffer.from(mail.replaceAll('\n', '\r\n')))
  assert.equal(reading.kind, 'mail')
  return reading.mail
}
const PDF = 'Content-Type: application/pdf; name="invoice.pdf"\nContent-Transfer-Encoding: base64\n\nJVBERi0xLjQ='
const LISTED = { name: 'invoice.pdf', type: 'application/pdf', size: 8 }
const PARTS = `--b\nContent-Type: text/plain\n\nThe export stops.\n--b\n${PDF}\n--b--`

describe('every part of a mail is text, an attachment in the list, or said to be missing', () => {
  for (const [what, header] of Object.entries({
    'a boundary on a line that is not indented': 'Content-Type: multipart/mixed;\nboundary="b"',
    'the same without a semicolon': 'Content-Type: multipart/mixed\nboundary=b',
    'a boundary below another parameter': 'Content-Type: multipart/mixed;\nreport-type=x;\nboundary="b"',
    'a boundary in capital letters': 'Content-Type: multipart/mixed;\nBOUNDARY="b"',
  })) {
    it(what, async () => {
      const { text, attachments } = await read(`${HEAD}${header}\n\n${PARTS}`)
      assert.deepEqual([text, attachments], ['The export stops.', [LISTED]])
    })
  }

  it('delimiters with blanks behind them', async () => {
    const { text, attachments } = await read(
      `${HEAD}Content-Type: multipart/mixed; boundary="b"\n\n${PARTS.replaceAll('--b\n', '--b \n')}  \n`,
    )
    assert.deepEqual([text, attachments], ['The export stops.', [LISTED]])
  })

  it('a multipart without a boundary, or without its delimiters', async () => {
    for (const type of ['multipart/mixed', 'multipart/mixed; boundary=other', 'multipart/alternative'])
      assert.match((await read(`${HEAD}Content-Type: ${type}\n\n${PARTS}`)).text, /The export stops\./)
  })

  it('a type that is none is plain text', async () => {
    for (const type of ['text', 'TEXT; charset=utf-8', 'plain', '/', ''])
      assert.equal((await read(`${HEAD}Content-Type: ${type}\n\nThe export stops.`)).text, 'The export stops.')
  })

  it('a mail that is one attachment', async () => {
    const mail = await read(`${HEAD}${PDF}`)
    assert.deepEqual([mail.text, mail.attachments, mail.attachment_count], ['', [LISTED], 1])
  })

  it('a text behind another in a form of its own', async () => {
    const mail = await read(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n${'The export stops. '.repeat(9)}\n--b\n${PDF}\n--b\nContent-Type: text/html\n\n<p>And the import is slow.</p>\n--b--`,
    )
    assert.match(mail.text, /The export stops\.\s+And the import is slow\.$/)
  })

  it('an outer part behind an inner one whose end a program forgot', async () => {
    const inner = '--i\nContent-Type: text/plain\n\nThe export stops.\n'
    for (const [type, boundary] of [
      ['mixed', 'i'],
      ['alternative', '"i"'],
    ]) {
      const mail = await read(
        `${HEAD}Content-Type: multipart/mixed; boundary="out side"\n\n--out side\nContent-Type: multipart/${type}; boundary=${boundary}\n\n${inner}--out side\n${PDF}\n--out side\nContent-Type: text/plain\n\nAnd the import.\n--out side--`,
      )
      assert.deepEqual([mail.text, mail.attachments], ['The export stops.\nAnd the import.', [LISTED]], type)
    }
  })

  it('parts within one that says that it is HTML', async () => {
    const mail = await read(
      `${HEAD}Content-Type: text/html; boundary="b"\n\n--b\nContent-Type: text/html\n\n<p>The export stops.</p>\n--b--`,
    )
    assert.equal(mail.text, 'The export stops.')
  })

  it('a file whose type is none, by its name', async () => {
    const { attachments } = await read(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee it.\n--b\n${PDF.replace('application/pdf', 'pdf')}\n--b--`,
    )
    assert.deepEqual(attachments, [LISTED])
  })

  it('two alternatives in the same form that say different things, and one of two that say the same', async () => {
    const both = async (one: string, other: string) =>
      (
        await read(
          `${HEAD}Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n${one}\n--b\nContent-Type: text/plain\n\n${other}\n--b--`,
        )
      ).text
    assert.equal(await both('The export stops.', 'Import never begins'), 'The export stops.\nImport never begins')
    assert.equal(await both('The export stops', 'The export stops today.'), 'The export stops today.')
  })

  it('an attached mail that says nothing, and what an attached mail carries', async () => {
    const attached = (inner: string) =>
      `${HEAD}Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: text/plain\n\nSee the mail.\n--o\nContent-Type: message/rfc822\n\n${inner}\n--o--`
    const empty = await read(attached('From: a@customer.example\n\n'))
    assert.deepEqual([empty.text, empty.attachments.map(({ type }) => type)], ['See the mail.', ['message/rfc822']])
    const full = await read(attached(`${HEAD}Content-Type: multipart/mixed; boundary=b\n\n${PARTS}`))
    assert.deepEqual(
      [full.text, full.forward?.note, full.attachments],
      ['The export stops.', 'See the mail.', [LISTED]],
    )
  })

  it('text inside of hundreds of elements', async () => {
    for (const depth of [290, 310, 450, 900]) {
      const html = `${HEAD}Content-Type: text/html\n\n${'<div>'.repeat(depth)}The export stops.${'</div>'.repeat(depth)}<p>And more.</p>`
      const mail = await read(html)
      assert.deepEqual([mail.text, mail.shortened], ['The export stops.\n\nAnd more.', false], String(depth))
    }
  })

  for (const [what, html] of Object.entries({
    'more elements inside of each other than are read': `<p>Begin</p>${'<div>'.repeat(1_500)}The export stops.`,
    'more tags than are read': `<p>Begin</p>${'<b>x</b>'.repeat(6_000)}`,
    'more text than is read': `<p>Begin</p>${'many words '.repeat(50_000)}`,
  })) {
    it(`${what}: the mail says that it is shortened`, async () => {
      const mail = await read(`${HEAD}Content-Type: text/html\n\n${html}`)
      assert.deepEqual([mail.text.slice(0, 5), mail.shortened], ['Begin', true])
    })
  }

  it('and a rule breaks lines', () => {
    assert.equal(htmlText('Thanks,<br>Bob<hr>From: Support'), 'Thanks,\nBob\nFrom: Support')
    assert.equal(htmlText('<p>Bob</p><hr><b>From:</b> Support').replace(/\n+/g, '\n'), 'Bob\nFrom: Support')
  })

  it('and so does whatever stands on a line of its own', () => {
    for (const name of [
      'address',
      'center',
      'details',
      'fieldset',
      'figure',
      'figcaption',
      'summary',
      'dl',
      'dt',
      'dd',
    ])
      assert.equal(
        htmlText(`Bob<${name}>The export stops.</${name}>From: Support`),
        'Bob\nThe export stops.\nFrom: Support',
      )
    assert.equal(htmlText('<dl><dt>Seen<dd>The export stops.</dl>'), 'Seen\nThe export stops.')
    assert.match(htmlText('Seen<menu><li>The export<li>The import</menu>'), /Seen\s+\* The export\n \* The import/)
    assert.equal(htmlText('<span style="display:block">Bob</span><span>From: Support</span>'), 'Bob\nFrom: Support')
    assert.equal(
      htmlText('<style>.l{display:block}</style><b class="l">Bob</b><b>From: Support</b>'),
      'Bob\nFrom: Support',
    )
    assert.equal(htmlText('Bo<span style="display:inline">b</span>'), 'Bob')
    assert.equal(htmlText('<ul><li>One<li>Two</ul>').trim(), '* One\n * Two')
  })

  it('and what is only indented is its author’s, while what a program quotes is not', async () => {
    const text = async (html: string) => (await read(`${HEAD}Content-Type: text/html\n\n${html}`)).text
    assert.equal(
      await text('<p>Our rule:</p><blockquote style="margin:0 0 0 40px;border:none">Ten rows.</blockquote>'),
      'Our rule:\n\nTen rows.',
    )
    for (const quote of [
      'type="cite"',
      'class="gmail_quote"',
      'style="border-left:1px solid #ccc"',
      'cite="mid:1@v.example"',
    ])
      assert.equal(await text(`<p>It stops.</p><blockquote ${quote}>Which browser?</blockquote>`), 'It stops.')
    assert.equal(
      await text('<p>It stops.</p><p>Support wrote:</p><blockquote>Which browser?</blockquote>'),
      'It stops.',
    )
  })
})
