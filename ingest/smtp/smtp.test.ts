import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createTransport } from 'nodemailer'
import { eventually } from '../../infra/runtime/testing.ts'
import { formatIngestionAddress } from '../../model/sources/ingestion-address.ts'
import { newId, type SourceId, type TenantId } from '../../schemas/domain/ids.ts'
import { sample } from '../receivers/email/samples.testing.ts'
import type { Source } from '../registry/source.ts'
import { startTestEdge } from '../testing.ts'
import { openDialogue } from './dialogue.testing.ts'

const DOMAIN = 'in.example.com'
const SECRET = 'the-secret-of-the-mail-infrastructure'
type Edge = Awaited<ReturnType<typeof startTestEdge>>

const start = (settings: Parameters<typeof startTestEdge>[0] = {}) =>
  startTestEdge({ mailDomain: DOMAIN, smtpPort: 0, emailIngestSecret: SECRET, maxFailuresPerMinute: 10, ...settings })

const addressOf = ({ id }: Pick<Source, 'id'>) => formatIngestionAddress({ slug: 'acme', sourceId: id, domain: DOMAIN })
const addSource = (edge: Edge, over: Partial<Source> = {}) => edge.sources.add({ kind: 'email', secrets: [], ...over })

/** Sends a mail as a mail server does; rejects with its answer as `responseCode`. */
const send = (edge: Edge, to: readonly string[], raw: string | Buffer, from = 'customer@example.com') => {
  const transport = createTransport({ host: '127.0.0.1', port: edge.smtpPort ?? 0, ignoreTLS: true })
  const sent = transport.sendMail({ envelope: { from, to: [...to] }, raw })
  return sent
    .finally(() => transport.close())
    .then(({ response = '', accepted, rejected }) => ({ response, accepted, rejected }))
}

const refusedWith = (code: number) => (error: unknown) => {
  assert.equal((error as { responseCode?: number }).responseCode, code, String(error))
  return true
}

const post = (edge: Edge, source: Source, mail: Buffer): Promise<Response> =>
  fetch(`${edge.url}/api/webhooks/email-ingest`, {
    method: 'POST',
    headers: {
      'content-type': 'message/rfc822',
      authorization: `Bearer ${SECRET}`,
      'x-envelope-to': addressOf(source),
    },
    body: new Uint8Array(mail),
  })

describe('the SMTP listener', () => {
  let edge: Edge
  before(async () => {
    edge = await start()
  })
  after(() => edge.stop())

  it('takes a mail for an ingestion address, and says so once it is durable', async () => {
    const source = addSource(edge)
    const release = edge.log.hold()
    let answered = false
    const sending = send(edge, [addressOf(source)], sample('gmail-reply')).finally(() => {
      answered = true
    })
    await eventually('the mail is offered to the log', async () => edge.log.offered() > 0)
    assert.equal(answered, false)
    release()
    const { response } = await sending
    const [record] = await edge.signals()
    assert.equal(response, `250 2.6.0 OK ${record?.signal_id}`)
    assert.deepEqual([record?.source_id, record?.channel], [source.id, 'email'])
  })

  it('gives a mail the same signal that it had before, and that it has over HTTP', async () => {
    const source = addSource(edge)
    const first = await send(edge, [addressOf(source)], sample('yahoo-reply'))
    const again = await send(edge, [addressOf(source)], sample('yahoo-reply'))
    assert.equal(first.response, again.response)
    const { snippet_id: posted } = (await (await post(edge, source, sample('yahoo-reply'))).json()) as {
      snippet_id: string
    }
    assert.equal(first.response, `250 2.6.0 OK ${posted}`)
  })

  it('takes a mail for several recipients, and names those that are none', async () => {
    const tenantId = newId<TenantId>()
    const sources = [addSource(edge, { tenantId }), addSource(edge, { tenantId })]
    const { accepted, rejected, response } = await send(
      edge,
      [...sources.map(addressOf), 'somebody@example.com'],
      sample('outlook-reply'),
    )
    assert.deepEqual(accepted, sources.map(addressOf))
    assert.deepEqual(rejected, ['somebody@example.com'])
    assert.match(response, /^250 2\.6\.0 OK [0-9a-f-]{36} [0-9a-f-]{36}$/)
  })

  it('refuses other recipients during the dialogue: foreign, unknown, or a source that takes no mail', async () => {
    const other = await start()
    const recipients = ['somebody@example.com', addressOf({ id: newId<SourceId>() }), addressOf(other.sources.add())]
    for (const recipient of recipients) {
      await assert.rejects(send(other, [recipient], sample('gmail-reply')), refusedWith(550))
    }
    assert.equal(other.log.offered(), 0)
    await other.stop()
  })

  it('lets nobody try addresses for long', async () => {
    const other = await start()
    const source = addSource(other)
    const dialogue = await openDialogue(other.smtpPort)
    dialogue.say(`EHLO x\nMAIL FROM:<a@example.com>\n${'RCPT TO:<b@example.com>\n'.repeat(11)}`)
    await dialogue.hears(/421 /)
    assert.equal(dialogue.heard().match(/^550 /gm)?.length, 10)
    await assert.rejects(send(other, [addressOf(source)], sample('gmail-reply')), refusedWith(421))
    await other.stop()
  })

  it('takes several mails in one breath (pipelining)', async () => {
    const before = (await edge.signals()).length
    const address = addressOf(addSource(edge))
    const mail = (subject: string) =>
      `MAIL FROM:<a@example.com>\nRCPT TO:<${address}>\nDATA\nSubject: ${subject}\n\n..a dot\n.\n`
    const dialogue = await openDialogue(edge.smtpPort)
    dialogue.say(`EHLO x\n${mail('one')}${mail('two')}QUIT\n`)
    await dialogue.hears(/221 /)
    assert.equal(dialogue.heard().match(/^250 2\.6\.0 OK/gm)?.length, 2)
    const bodies = (await edge.signals()).slice(before).map(record => JSON.parse(record.received?.body ?? ''))
    assert.deepEqual(
      bodies.map(({ subject, text }) => [subject, text]),
      [
        ['one', '.a dot'],
        ['two', '.a dot'],
      ],
    )
  })

  it('announces how large a mail may be, and refuses a larger one: announced or not', async () => {
    const address = addressOf(addSource(edge))
    const dialogue = await openDialogue(edge.smtpPort)
    dialogue.say('EHLO x\n')
    await dialogue.hears(/250[ -]SIZE 10485760/)
    dialogue.say('MAIL FROM:<a@example.com> SIZE=10485761\n')
    await dialogue.hears(/552 /)
    dialogue.socket.destroy()
    const offered = edge.log.offered()
    await assert.rejects(
      send(edge, [address], `Subject: s\r\n\r\n${'a\r\n'.repeat(4 * 1024 * 1024)}`),
      refusedWith(552),
    )
    assert.equal(edge.log.offered(), offered)
  })

  it('takes nothing of a client that dies in the middle of its mail, and frees what it held', async () => {
    const offered = edge.log.offered()
    const dialogue = await openDialogue(edge.smtpPort)
    dialogue.say(`EHLO x\nMAIL FROM:<a@example.com>\nRCPT TO:<${addressOf(addSource(edge))}>\nDATA\n`)
    await dialogue.hears(/354 /)
    dialogue.say(`Subject: s\n\n${'half a mail\n'.repeat(1000)}`)
    const inFlight = async () =>
      /^assay_ingest_in_flight_bytes(?:\{.*\})? (\d+)$/m.exec(await (await fetch(`${edge.url}/metrics`)).text())?.[1]
    await eventually('the mail is held', async () => Number(await inFlight()) > 10_000)
    dialogue.socket.destroy()
    await eventually('it is freed', async () => (await inFlight()) === '0')
    assert.equal(edge.log.offered(), offered)
  })

  it('takes a report, whose sender is empty, as one', async () => {
    const { response } = await send(edge, [addressOf(addSource(edge))], sample('gmail-reply'), '')
    const id = /^250 2\.6\.0 OK (\S+)$/.exec(response)?.[1]
    const signal = (await edge.signals()).find(({ signal_id }) => signal_id === id)
    assert.equal(signal?.automatic?.sign, 'null_sender')
  })

  it('has a mail for a paused address sent again later', async () => {
    const offered = edge.log.offered()
    const address = addressOf(addSource(edge, { paused: true }))
    await assert.rejects(send(edge, [address], sample('gmail-reply')), refusedWith(451))
    assert.equal(edge.log.offered(), offered)
  })

  it('refuses a mail that says nothing for good', async () => {
    await assert.rejects(send(edge, [addressOf(addSource(edge))], 'From: a@example.com\r\n\r\n'), refusedWith(554))
  })

  it('has a mail sent again later when the log, the registry or the limit does not let it in', async () => {
    const other = await start()
    const source = addSource(other)
    other.log.setUnavailable(true)
    await assert.rejects(send(other, [addressOf(source)], sample('gmail-reply')), refusedWith(451))
    other.log.setUnavailable(false)
    other.sources.setUnavailable(true)
    await assert.rejects(send(other, [addressOf({ id: newId<SourceId>() })], sample('gmail-reply')), refusedWith(451))
    other.sources.setUnavailable(false)
    // The limit is one for both ways in; the mail that the log did not take counts as well.
    for (let sent = 1; sent < 50; sent++) assert.equal((await post(other, source, sample('gmail-reply'))).status, 200)
    await assert.rejects(send(other, [addressOf(source)], sample('gmail-reply')), refusedWith(452))
    await other.stop()
  })

  it('has nobody log in, and speaks no other protocol', async () => {
    const dialogue = await openDialogue(edge.smtpPort)
    dialogue.say('EHLO x\n')
    await dialogue.hears(/250 /)
    assert.doesNotMatch(dialogue.heard(), /AUTH|STARTTLS/)
    dialogue.say('GET / HTTP/1.1\n')
    await dialogue.hears(/421 /)
  })

  it('speaks TLS where it has a certificate', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'assay-smtp-'))
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
    const request = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost']
    await promisify(execFile)('openssl', ['req', ...request, '-keyout', key, '-out', cert])
    const other = await start({ smtpTlsCert: cert, smtpTlsKey: key })
    const transport = createTransport({
      host: '127.0.0.1',
      port: other.smtpPort ?? 0,
      requireTLS: true,
      tls: { ca: await readFile(cert), servername: 'localhost' },
    })
    const envelope = { from: 'customer@example.com', to: addressOf(addSource(other)) }
    const { response } = await transport.sendMail({ envelope, raw: sample('gmail-reply') })
    assert.match(response ?? '', /^250 /)
    transport.close()
    await other.stop()
    await rm(directory, { recursive: true })
  })

  it('lets one address open a few connections only', async () => {
    const other = await start()
    const dialogues = await Promise.all(Array.from({ length: 20 }, () => openDialogue(other.smtpPort)))
    const socket = connect(other.smtpPort ?? 0, '127.0.0.1').setEncoding('utf8')
    const [answer] = await once(socket, 'data')
    assert.match(answer, /^421 /)
    for (const dialogue of dialogues) dialogue.socket.destroy()
    await eventually(
      'connections are free again',
      async () => (await openDialogue(other.smtpPort)).socket.destroy() !== undefined,
    )
    await other.stop()
  })

  it('answers the mail under way when the edge stops, and lets everybody else go', async () => {
    const other = await start()
    const idle = await openDialogue(other.smtpPort)
    const release = other.log.hold()
    const sending = send(other, [addressOf(addSource(other))], sample('gmail-reply'))
    await eventually('the mail is offered to the log', async () => other.log.offered() > 0)
    const stopped = other.stop()
    await idle.hears(/421 /)
    release()
    assert.match((await sending).response, /^250 /)
    await stopped
    assert.equal(other.log.records().length, 1)
  })

  it('is not started with settings that do not go together', async () => {
    await assert.rejects(start({ mailDomain: null }), /SMTP_PORT needs INGEST_MAIL_DOMAIN/)
    await assert.rejects(start({ smtpTlsCert: 'cert.pem' }), /SMTP_TLS_CERT and SMTP_TLS_KEY go together/)
    await assert.rejects(start({ smtpTlsCert: 'no.pem', smtpTlsKey: 'no.pem' }), /must name files/)
    await assert.rejects(start({ smtpPort: edge.smtpPort }), /Port \d+ on 127\.0\.0\.1 cannot be listened on/)
  })
})
