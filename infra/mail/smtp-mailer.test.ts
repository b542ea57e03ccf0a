import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isAssayError } from '../runtime/errors.ts'
import { mailConnection, parseSender, parseSmtpUrl } from './config.ts'
import { createSmtpMailer } from './smtp-mailer.ts'
import { startTestMailServer, type TestMailServer } from './testing.ts'

let server: TestMailServer
before(async () => {
  server = await startTestMailServer()
})
after(() => server.stop())

const FROM = { name: 'Assay', address: 'assay@example.com' }
const mailerAt = (url: string) => {
  const connection = parseSmtpUrl(url) ?? assert.fail(`${url} is not understood`)
  return createSmtpMailer({ server: connection, from: FROM })
}
const MAIL = { id: '01', to: 'ana@example.com', subject: 'Zoë’s link', text: 'One.\n\nhttps://assay.example.com/x\n' }

const fails = async (url: string, code: string, message: RegExp): Promise<void> => {
  await assert.rejects(mailerAt(url).send(MAIL), error => {
    assert.ok(isAssayError(error))
    assert.equal(error.code, code)
    assert.match(error.publicMessage, message)
    assert.doesNotMatch(String(error.stack), /ana@|somebody@|p%40ss|p@ss|wrong/)
    return true
  })
}

describe('A mail', () => {
  it('arrives as plain text, from whom the setting says, under its own id, and answers to nobody’s robot', async () => {
    await mailerAt(server.url.replace('//', '//assay:p%40ss%3Aword@')).send(MAIL)
    const mail = server.received[0] ?? assert.fail('nothing came')
    assert.deepEqual(mail.to, ['ana@example.com'])
    assert.deepEqual([mail.subject, mail.text, mail.messageId], [MAIL.subject, MAIL.text, '<01@example.com>'])
    assert.match(mail.raw, /^From: Assay <assay@example\.com>\r?$/m)
    assert.match(mail.raw, /^To: ana@example\.com\r?$/m)
    assert.match(mail.raw, /^Auto-Submitted: auto-generated\r?$/m)
    assert.match(mail.raw, /^Content-Type: text\/plain; charset=utf-8\r?$/m)
  })

  it('has one header more for nothing that stands in its subject or address [header injection]', async () => {
    const count = server.received.length
    const injected = 'Hi\r\nBcc: eve@example.com\r\n\r\nbody'
    await mailerAt(server.url).send({ ...MAIL, subject: injected })
    const mail = server.received[count] ?? assert.fail('nothing came')
    assert.deepEqual(mail.to, ['ana@example.com'])
    assert.doesNotMatch(mail.raw, /^Bcc:/m)
    for (const to of ['ana@example.com\r\nRCPT TO:<eve@example.com>', 'ana@example.com, eve@example.com']) {
      await mailerAt(server.url)
        .send({ ...MAIL, to })
        .catch(() => {})
    }
    assert.ok(server.received.every(each => !each.to.includes('eve@example.com')))
  })

  it('that is refused says whether it is worth another try, and neither address nor password', async () => {
    server.refuse(550)
    await fails(server.url, 'invalid_input', /refuses this mail or its address \(550\)/)
    server.refuse(451)
    await fails(server.url, 'unavailable', /refuses mail now \(451\)/)
    server.refuse(null)
    await fails(server.url.replace('//', '//assay:wrong@'), 'unavailable', /user or the password/)
    await fails('smtp://127.0.0.1:9', 'unavailable', /Nobody takes connections/)
    await fails(server.url.replace('smtp:', 'smtps:'), 'unavailable', /No secure connection/)
  })
})

describe('The settings of mail', () => {
  it('are read whole or not at all', () => {
    assert.deepEqual(parseSmtpUrl('smtp://mail.example.com'), {
      host: 'mail.example.com',
      port: 587,
      implicitTls: false,
      login: null,
    })
    assert.deepEqual(parseSmtpUrl('smtps://a%40b:p%2Fw@mail.example.com')?.login, { user: 'a@b', password: 'p/w' })
    assert.equal(parseSmtpUrl('smtps://[::1]')?.port, 465)
    for (const url of [
      'mail.example.com',
      'http://a',
      'smtp://',
      'smtp://a/x',
      'smtp://a?tls=no',
      'smtp://a:b',
      'smtp://u@a',
    ])
      assert.equal(parseSmtpUrl(url), undefined, url)
    assert.deepEqual(parseSender('Assay at work <assay@example.com>'), {
      name: 'Assay at work',
      address: 'assay@example.com',
    })
    for (const from of ['Assay', '<>', 'a@b, c@d', 'A <a@b>\r\nBcc: c@d', 'a b@c'])
      assert.equal(parseSender(from), undefined, from)
  })

  it('say what is missing', () => {
    assert.equal(mailConnection({ smtpUrl: null, mailFrom: null }), null)
    assert.throws(() => mailConnection({ smtpUrl: null, mailFrom: 'a@b' }), /MAIL_FROM is set and SMTP_URL is not/)
    assert.throws(() => mailConnection({ smtpUrl: 'smtp://a', mailFrom: null }), /SMTP_URL is set and MAIL_FROM is not/)
  })
})
