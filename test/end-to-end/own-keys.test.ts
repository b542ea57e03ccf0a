import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { SENDERS } from '../../ingest/hostile/senders.ts'
import { readMail } from '../../ingest/receivers/email/reading/mail.ts'
import { keyOfThread } from '../../ingest/receivers/email/reading/thread-key.ts'
import { emailReceiver, mailDraft } from '../../ingest/receivers/email/receiver.ts'
import { RECEIVERS } from '../../ingest/receivers/index.ts'
import { testSource } from '../../ingest/testing.ts'
import { createNormalize } from '../../processors/steps/normalize/normalize.ts'
import { createScrub, redactJson } from '../../processors/steps/scrub/scrub.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'

/** Keys, ids and counts that Assay makes, or takes from a host that made them, join signals: none may be scrubbed. */

const IDS = 10_000
const normalize = createNormalize()
const scrub = createScrub({ actorKey: () => 'key' })

const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex')

type Received = SignalRecord & { readonly received: NonNullable<SignalRecord['received']> }

const metadataOf = async (record: SignalRecord): Promise<readonly [made: unknown, kept: unknown]> => {
  const [read] = await normalize.run([record as Received])
  assert.ok(read?.kind === 'next')
  const [scrubbed] = await scrub.run([{ ...record, ...read.adds }])
  assert.ok(scrubbed?.kind === 'next')
  return [JSON.parse(read.adds.content.metadata), JSON.parse(scrubbed.adds.content.metadata)]
}

const COMMITS = 500
const repository = { full_name: 'octo/repo', html_url: 'https://host.example/octo/repo' }
const commitOf = (id: number): string => hashOf(String(id)).slice(0, 40)

/** Events of a code host that have so many ids from this one on. */
const eventsFrom = (id: number): readonly (readonly [event: string, body: object])[] => {
  const commits = Array.from({ length: COMMITS }, (_, place) => ({ id: commitOf(id + place), message: 'Mend it.' }))
  const pull = { number: id, title: 'Mend it', body: '', head: { ref: commitOf(id) }, base: { ref: 'main' } }
  const deployment = { sha: commitOf(id), ref: commitOf(id).slice(0, 7), environment: 'production', task: 'deploy' }
  return [
    ['push', { ref: 'refs/heads/main', commits, total_commits: id, repository }],
    ['pull_request', { action: 'opened', pull_request: pull, repository }],
    ['deployment', { action: 'created', deployment, repository }],
  ]
}

const mailOf = (messageId: string, size: number): Buffer => {
  const part = (type: string, text: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`
  const head = `From: Kim <kim@example.com>\r\nMessage-ID: <${messageId}>\r\nContent-Type: multipart/mixed; boundary=b`
  return Buffer.from(
    `${head}\r\n\r\n${part('text/plain', 'It fails.')}${part('image/png; name=a.png', 'x'.repeat(size))}--b--\r\n`,
  )
}

describe('what Assay makes of a request is the same behind the step `scrub`', () => {
  it('is looked at for every receiver', () => {
    const tried = [...SENDERS.map(({ receiver }) => receiver.path), emailReceiver.path]
    assert.deepEqual(new Set(tried), new Set(RECEIVERS.map(({ path }) => path)))
  })

  for (const { name, receiver, headers, contentType, body, source } of SENDERS) {
    const receive = async (sent: object | string, more: Readonly<Record<string, string>> = {}) => {
      const bytes = Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent))
      const request = { headers: { ...headers(bytes), ...more }, body: bytes, source: testSource(source), traceId: '' }
      const taken = receiver.receive({ ...request, receivedAt: 1_800_000_000_000 })
      assert.ok(taken.kind === 'taken', JSON.stringify(taken))
      const signals = taken.drafts.filter(({ what }) => what === 'signal')
      for (const { record } of signals) {
        const [made, kept] = await metadataOf(record as SignalRecord)
        assert.deepEqual(kept, made)
      }
      return signals.length
    }

    it(`of an ordinary request: ${name}`, async () => {
      await receive(body)
    })

    if (source.kind !== 'code_host') continue
    it(`with ${IDS} ids of commits: ${name}`, async () => {
      assert.equal(contentType, 'application/json')
      for (let id = 0; id < IDS; id += COMMITS) {
        for (const [event, payload] of eventsFrom(id)) {
          const signals = await receive(payload, { [`x-${source.codeHost}-event`]: event })
          assert.equal(signals, 1, event)
        }
      }
    })
  }

  it(`with ${IDS} ids: a thread of mail`, async () => {
    const { mail } = (await readMail(mailOf('first@example.com', 12))) as Extract<
      Awaited<ReturnType<typeof readMail>>,
      { kind: 'mail' }
    >
    assert.equal(mail.thread, keyOfThread('first@example.com'))
    const source = testSource({ kind: 'email' })
    const keys = new Set<unknown>()
    for (let id = 0; id < IDS; id += 1) {
      const thread = keyOfThread(`${id}@example.com`)
      keys.add(thread)
      const draft = mailDraft(source, { mail: { ...mail, thread }, messageId: null, automatic: null, receivedAt: 1 })
      const [made, kept] = await metadataOf(draft.record)
      assert.deepEqual(kept, made)
    }
    assert.equal(keys.size, IDS)
  })

  it('where the hash of a thread is a card’s number, as one in some ten thousand is', async () => {
    const digits = Array.from({ length: 200_000 }, (_, id) => String(id)).filter(id => /^\d{16}/.test(hashOf(id)))
    assert.ok(digits.length > 50)
    for (const id of digits) {
      const key = keyOfThread(id)
      for (const metadata of [{ thread: key }, { card: key }, { key: [`card ${key}`] }]) {
        assert.deepEqual(redactJson(metadata, new Map()), metadata)
      }
    }
  })
})
