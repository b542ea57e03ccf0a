import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { formatIngestionAddress } from '../model/sources/ingestion-address.ts'
import { newId, type SourceId, type TenantId } from '../schemas/domain/ids.ts'
import type { ProjectedMail } from '../schemas/http/email.ts'
import { sample } from './receivers/email/samples.testing.ts'
import type { Source } from './registry/source.ts'
import { startTestEdge } from './testing.ts'

const DOMAIN = 'in.example.com'
const SECRET = 'the-secret-of-the-mail-infrastructure'

const addressOf = ({ id }: Pick<Source, 'id'>) => formatIngestionAddress({ slug: 'acme', sourceId: id, domain: DOMAIN })

describe('the way in for mail over HTTP', () => {
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  before(async () => {
    edge = await startTestEdge({ mailDomain: DOMAIN, emailIngestSecret: SECRET, maxFailuresPerMinute: 20 })
  })
  after(() => edge.stop())

  const addSource = (over: Partial<Source> = {}) => edge.sources.add({ kind: 'email', secrets: [], ...over })

  const postMail = (mail: string | Buffer, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${edge.url}/api/webhooks/email-ingest`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${SECRET}`, ...headers },
      body: new Uint8Array(Buffer.from(mail)),
    })
  const to = (...sources: readonly Source[]) => ({ 'x-envelope-to': sources.map(addressOf).join(', ') })
  const recordOf = async (snippetId: string) => (await edge.signals()).filter(record => record.signal_id === snippetId)

  it('takes a mail for the recipient of the envelope, and answers its signal', async () => {
    const source = addSource()
    const response = await postMail(sample('gmail-reply'), to(source))
    assert.equal(response.status, 200)
    assert.match(response.headers.get('ratelimit') ?? '', /^"tenant";r=49;t=\d+$/)
    assert.equal(response.headers.get('ratelimit-policy'), '"tenant";q=50;w=3600')
    const answer = (await response.json()) as { snippet_id: string }
    assert.deepEqual(answer, { ok: true, snippet_id: answer.snippet_id })
    const [record, ...more] = await recordOf(answer.snippet_id)
    assert.equal(more.length, 0)
    assert.deepEqual(
      [record?.source_id, record?.workspace_id, record?.tenant_id, record?.channel, record?.received?.format],
      [source.id, source.workspaceId, source.tenantId, 'email', 'email'],
    )
    const body: ProjectedMail = JSON.parse(record?.received?.body ?? '')
    assert.match(body.text, /^The CSV export still stops/)
    assert.equal(body.occurred_at, Date.parse('2025-03-04T10:14:57Z'))
  })

  it('answers a mail that is delivered again with the same signal', async () => {
    const source = addSource()
    const ids = await Promise.all([1, 2].map(async () => (await postMail(sample('yahoo-reply'), to(source))).json()))
    assert.deepEqual(ids[0], ids[1])
    const other = await (await postMail(sample('yahoo-reply'), to(addSource()))).json()
    assert.notDeepEqual(other, ids[0])
  })

  it('gives a mail without a Message-ID a signal of its own each time', async () => {
    const source = addSource()
    const ids = await Promise.all([1, 2].map(async () => (await postMail('Subject: s\r\n\r\nx', to(source))).json()))
    assert.notDeepEqual(ids[0], ids[1])
  })

  for (const header of ['To', 'Cc', 'Delivered-To', 'X-Original-To']) {
    it(`finds the recipient in ${header} where no envelope is told`, async () => {
      const source = addSource()
      const mail = `${header}: "Somebody, else" <else@example.com>,\r\n "Acme" <${addressOf(source).toUpperCase()}>\r\n\r\nx`
      assert.equal((await postMail(mail)).status, 200)
    })
  }

  it('goes by the envelope alone where it is told', async () => {
    const source = addSource()
    const response = await postMail(`To: ${addressOf(source)}\r\n\r\nx`, { 'x-envelope-to': 'else@example.com' })
    assert.equal(response.status, 404)
  })

  it('gives each of several recipients the mail, and answers the first one’s signal', async () => {
    const tenantId = newId<TenantId>()
    const sources = [addSource({ tenantId }), addSource({ tenantId })]
    const response = await postMail(sample('outlook-reply'), to(...sources))
    assert.match(response.headers.get('ratelimit') ?? '', /r=49/)
    const records = (await edge.signals()).filter(record => sources.some(source => source.id === record.source_id))
    assert.deepEqual(
      records.map(record => record.source_id),
      sources.map(source => source.id),
    )
    assert.equal(((await response.json()) as { snippet_id: string }).snippet_id, records[0]?.signal_id)
  })

  it('answers 404 when no recipient is one: unknown, deleted, or a source that takes no mail', async () => {
    const deleted = addSource()
    edge.sources.remove(deleted.id)
    const recipients = [
      'somebody@example.com',
      addressOf({ id: newId<SourceId>() }),
      addressOf(deleted),
      addressOf(edge.sources.add()),
      '',
    ]
    for (const recipient of recipients) {
      const response = await postMail('Subject: s\r\n\r\nx', { 'x-envelope-to': recipient })
      assert.deepEqual(
        [response.status, ((await response.json()) as { type: string }).type],
        [404, 'urn:assay:problem:unknown_recipient'],
      )
    }
    assert.equal((await postMail('Subject: s\r\n\r\nx')).status, 404)
  })

  it('takes automatic answers and reports, and says what they are', async () => {
    for (const [name, kind] of [
      ['vacation', 'automatic_reply'],
      ['out-of-office', 'automatic_reply'],
      ['bounce', 'delivery_report'],
      ['gmail-reply', 'automatic_reply'],
    ] as const) {
      const envelope = name === 'gmail-reply' ? { 'x-envelope-from': '<>' } : {}
      const response = await postMail(sample(name), { ...to(addSource()), ...envelope })
      assert.equal(response.status, 200)
      const { snippet_id: id } = (await response.json()) as { snippet_id: string }
      const signal = (await edge.signals()).find(({ signal_id }) => signal_id === id)
      assert.equal(signal?.automatic?.kind, kind)
    }
  })

  it('refuses nothing that came from the empty sender: the refusal would make the next report', async () => {
    const envelope = { ...to(addSource()), 'x-envelope-from': '<>' }
    const response = await postMail('From: a@example.com\r\n\r\n', envelope)
    assert.deepEqual([response.status, await response.json()], [200, { ok: true, ignored: true }])
  })

  it('answers 422 to a mail that cannot be read or says nothing, and says what to do', async () => {
    const deep = `Subject: s\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(1000)}`
    for (const [mail, reason] of [
      ['From: a@example.com\r\n\r\n', 'mail_without_text'],
      [deep, 'mail_too_complex'],
    ] as const) {
      const response = await postMail(mail, to(addSource()))
      assert.equal(response.status, 422)
      assert.equal(((await response.json()) as { type: string }).type, `urn:assay:problem:${reason}`)
    }
  })

  it('takes 10 MiB and answers 413 to one byte more', async () => {
    const head = 'Subject: large\r\nContent-Type: application/pdf\r\n\r\n'
    const mail = Buffer.alloc(10 * 1024 * 1024, 'a')
    mail.write(head)
    assert.equal((await postMail(mail, to(addSource()))).status, 200)
    assert.equal((await postMail(Buffer.concat([mail, Buffer.from('a')]), to(addSource()))).status, 413)
  })

  it('answers 415 to anything but a mail, and 405 to anything but POST', async () => {
    assert.equal((await postMail('{}', { 'content-type': 'application/json' })).status, 415)
    const got = await fetch(`${edge.url}/api/webhooks/email-ingest`)
    assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST'])
  })

  it('takes 50 mails an hour of a tenant, whatever workspace they are for, and none for nobody', async () => {
    const tenantId = newId<TenantId>()
    const sources = [addSource({ tenantId }), addSource({ tenantId })]
    for (let sent = 0; sent < 50; sent++) {
      const source = sources[sent % 2]
      assert.ok(source)
      assert.equal((await postMail('Subject: s\r\n\r\nx', to(source))).status, 200)
    }
    const [source] = sources
    assert.ok(source)
    const refused = await postMail('Subject: s\r\n\r\nx', to(source))
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 3000)
    assert.equal((await postMail('Subject: s\r\n\r\nx', to(source, addSource()))).status, 429)
    assert.equal((await postMail('Subject: s\r\n\r\nx', to(addSource()))).status, 200)
  })

  it('answers 503 while the log is away, and the same mail is taken afterwards', async () => {
    const source = addSource()
    edge.log.setUnavailable(true)
    const away = await postMail(sample('gmail-forward'), to(source))
    assert.deepEqual([away.status, away.headers.has('retry-after')], [503, true])
    edge.log.setUnavailable(false)
    assert.equal((await postMail(sample('gmail-forward'), to(source))).status, 200)
  })

  it('answers 401 to anybody else, before the body, and at last 429', async () => {
    const source = addSource()
    const wrong = ['', 'Bearer', 'Bearer another-secret', `Basic ${SECRET}`, `Bearer ${SECRET}x`]
    for (const authorization of wrong) {
      const response = await postMail(sample('gmail-reply'), { ...to(source), authorization })
      assert.equal(response.status, 401, authorization)
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/)
      assert.doesNotMatch(await response.text(), /another-secret|the-secret-of/)
    }
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await postMail('x', { authorization: 'Bearer no' })).status),
    )
    assert.ok(statuses.every(status => status === 401 || status === 429))
    assert.equal((await postMail(sample('gmail-reply'), to(source))).status, 429)
  })
})

describe('the way in for mail that nobody opened', () => {
  for (const settings of [{}, { mailDomain: DOMAIN }, { emailIngestSecret: SECRET }]) {
    it(`is 404 with ${Object.keys(settings).join() || 'nothing'} set`, async () => {
      const edge = await startTestEdge(settings)
      const response = await fetch(`${edge.url}/api/webhooks/email-ingest`, {
        method: 'POST',
        headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${SECRET}` },
        body: 'Subject: s\r\n\r\nx',
      })
      assert.equal(response.status, 404)
      assert.match(await response.text(), /EMAIL_INGEST_SECRET and INGEST_MAIL_DOMAIN/)
      assert.equal(edge.smtpPort, null)
      await edge.stop()
    })
  }
})
