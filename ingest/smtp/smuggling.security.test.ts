import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { formatIngestionAddress } from '../../model/sources/ingestion-address.ts'
import { startTestEdge } from '../testing.ts'

/**
 * SMTP smuggling (https://sec-consult.com/blog/detail/smtp-smuggling-spoofing-e-mails-worldwide/): a mail that holds
 * what one server takes for its end and another does not carries a second mail, from whoever its writer likes. Only CR
 * LF . CR LF ends a mail.
 */
const DOMAIN = 'in.example.com'
let edge: Awaited<ReturnType<typeof startTestEdge>>

before(async () => {
  edge = await startTestEdge({ mailDomain: DOMAIN, smtpPort: 0 })
})
after(() => edge.stop())

/** Says these bytes after the greeting, and answers all that was heard once the server has said `until` or hung up. */
const dialogue = async (bytes: string, until: RegExp): Promise<string> => {
  const socket = connect(edge.smtpPort ?? 0, '127.0.0.1')
  let heard = ''
  let over = false
  socket.setEncoding('latin1').on('data', text => {
    heard += text
  })
  socket
    .on('error', () => {})
    .on('close', () => {
      over = true
    })
  await eventually('it greets', async () => /^220 /.test(heard))
  socket.write(bytes, 'latin1')
  await eventually(`it says ${until}`, async () => over || until.test(heard))
  socket.destroy()
  return heard
}

const SIGNAL_ENDS = ['\n.\n', '\r\n.\n', '\n.\r\n', '\r.\r', '\r\n.\r', '\n.\r', '\r.\n', '\r\n\u0000.\r\n']

for (const end of SIGNAL_ENDS) {
  test(`${JSON.stringify(end)} does not end a mail`, async () => {
    const source = edge.sources.add({ kind: 'email', secrets: [] })
    const address = formatIngestionAddress({ slug: 'acme', sourceId: source.id, domain: DOMAIN })
    const before = (await edge.signals()).length
    const smuggled = `MAIL FROM:<ceo@example.com>\r\nRCPT TO:<${address}>\r\nDATA\r\nSubject: smuggled\r\n\r\nforged`
    const mail = `Subject: outer\r\n\r\nouter text${end}${smuggled}\r\n.\r\n`
    const heard = await dialogue(
      `EHLO x\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<${address}>\r\nDATA\r\n${mail}QUIT\r\n`,
      /^221 /m,
    )
    assert.equal(heard.match(/^250 2\.6\.0 OK/gm)?.length ?? 0, 1, heard)
    const bodies = (await edge.signals()).slice(before).map(({ received }) => JSON.parse(received?.body ?? ''))
    assert.equal(bodies.length, 1)
    assert.equal(bodies[0].subject, 'outer')
  })
}

test('addresses and headers carry no line of their own into anything', async () => {
  const source = edge.sources.add({ kind: 'email', secrets: [] })
  const address = formatIngestionAddress({ slug: 'acme', sourceId: source.id, domain: DOMAIN })
  const injected = `RCPT TO:<${address}\nRCPT TO:<nobody@example.com>\r\n`
  const heard = await dialogue(`EHLO x\r\nMAIL FROM:<a@example.com\r>\r\n${injected}QUIT\r\n`, /^221 /m)
  assert.doesNotMatch(heard, /^250 2\.6\.0/m)
  const before = (await edge.signals()).length
  const headers = `Subject: =?utf-8?Q?one=0D=0ABcc:_evil=40example.com?=\r\nFrom: "a\r\n b" <a@example.com>\r\n`
  await dialogue(
    `EHLO x\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<${address}>\r\nDATA\r\n${headers}\r\ntext\r\n.\r\nQUIT\r\n`,
    /^221 /m,
  )
  const [body] = (await edge.signals()).slice(before).map(({ received }) => JSON.parse(received?.body ?? ''))
  assert.doesNotMatch(JSON.stringify([body.subject, body.author]), /\\r|\\n/)
})

test('a command line without an end is cut off, and so is a header without one', async () => {
  const endless = await dialogue(`EHLO ${'x'.repeat(2_000_000)}`, /^(421|500|5\d\d) /m)
  assert.match(endless, /^(220|421|5\d\d) /m)
  assert.equal((await fetch(`${edge.url}/livez`)).status, 200)
})
