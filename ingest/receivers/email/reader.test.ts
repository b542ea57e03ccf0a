import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { newId, type TenantId } from '../../../schemas/domain/ids.ts'
import { keptCuts } from './kept-cuts.ts'
import { createMailReader, type MailReader } from './reader.ts'
import { sample } from './samples.testing.ts'

const TENANT = newId<TenantId>()
const MEBIBYTE = 1024 * 1024
const HEAD = 'From: a@example.com\r\nSubject: s\r\nMIME-Version: 1.0\r\n'
const plain = (text: string | Buffer, charset = 'utf-8') =>
  Buffer.concat([Buffer.from(`${HEAD}Content-Type: text/plain; charset=${charset}\r\n\r\n`), Buffer.from(text)])
const html = (text: string) => Buffer.from(`${HEAD}Content-Type: text/html\r\n\r\n${text}`)

const nested = (depth: number): Buffer => {
  const levels = Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  )
  return Buffer.from(`${HEAD}${levels.join('')}\r\nx`)
}

/** Mail that is made to be hard to read; whatever becomes of it, the reader answers and goes on. */
const HOSTILE: Readonly<Record<string, Buffer>> = {
  'multiparts 150 deep': nested(150),
  'multiparts 5,000 deep': nested(5000),
  '100,000 parts': Buffer.from(
    `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(100_000)}`,
  ),
  'a header of 10 MiB': Buffer.from(`X-A: ${'a'.repeat(10 * MEBIBYTE)}`),
  'a million headers': Buffer.from(`${'X-A: b\r\n'.repeat(1_000_000)}\r\nx`),
  'headers that no program writes': Buffer.from(
    `From: ${'a:'.repeat(50_000)}\r\nSubject: ${'=?utf-8?B?YQ==?= '.repeat(3000)}${'Re: '.repeat(3000)}\r\n\r\nx`,
  ),
  '10 MiB in one line': plain('a'.repeat(10 * MEBIBYTE)),
  '10 MiB of nothing': Buffer.alloc(10 * MEBIBYTE),
  'lines that nearly are attributions': plain('On a 10:12 wrote\n'.repeat(100_000)),
  'text that a pattern could get lost in': plain(
    `${'abc. skrev skrev skrev skrev: '.repeat(6)}\n${`On ${'a '.repeat(90)}wrote\n`.repeat(20)}`,
  ),
  '100,000 nested elements': html('<div>'.repeat(100_000)),
  '100,000 nested quotes': plain(`${'>'.repeat(100_000)} x`),
  'a style that never ends': html(`<p style="${'display: '.repeat(100_000)}">x</p>`),
  'broken multibyte text': plain(Buffer.alloc(MEBIBYTE, 0x82), 'shift_jis'),
  'a charset that nobody knows': plain('x', '__proto__'),
  'a mail in a mail in a mail': Buffer.from(`${HEAD}Content-Type: message/rfc822\r\n\r\n`.repeat(100)),
  'a mail that ends in a header': Buffer.from('Content-Type: multipart/mixed; bound'),
}

describe('the reader of mail', () => {
  let reader: MailReader
  before(() => {
    // The limit of CPU holds; the deadline is the machine's, which may be busy.
    reader = createMailReader({ logger: { warn: () => {} }, deadlineMs: 120_000 })
  })
  after(() => reader.stop())

  for (const [what, mail] of Object.entries(HOSTILE)) {
    it(`gets over ${what}`, async () => {
      const reading = await reader.read(TENANT, mail)
      assert.ok(reading.kind === 'mail' || reading.kind === 'unreadable')
      if (reading.kind === 'mail') {
        const kept = { ...reading.mail, ...keptCuts(reading.mail.cuts) }
        assert.ok(Buffer.byteLength(JSON.stringify(kept)) < 900_000)
      }
      const next = await reader.read(TENANT, sample('gmail-reply'))
      assert.equal(next.kind, 'mail')
    })
  }

  it('leaves the thread that asks free while it reads', async () => {
    const [began, own] = [process.cpuUsage(), process.threadCpuUsage()]
    await reader.read(TENANT, plain('line of text here\n'.repeat(200_000)))
    const [all, asking] = [process.cpuUsage(began), process.threadCpuUsage(own)]
    const [whole, part] = [all.user + all.system, asking.user + asking.system]
    // By who used the processor, and not by turns: a busy machine gives few of them.
    assert.ok(part < whole / 2, `${part} µs of ${whole} are of the thread that asks`)
  })
})

/** A thread that answers, fails, fills its memory or never ends, as the first byte of the mail says. */
const THREAD = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ mail }) => {
    const what = String.fromCharCode(mail[0])
    if (what === 'f') throw new TypeError('the words of a mail')
    if (what === 'e') for (;;);
    if (what === 's') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    if (what === 'm') for (const all = []; ; ) all.push(new Array(1000).fill({}))
    parentPort.postMessage({ reading: { kind: 'ignored' } })
  })`)}`,
)

describe('the thread of the reader', () => {
  const warned: object[] = []
  /** Only what never ends is to meet its limit, however busy the machine is. */
  const start = (cpuLimitMs = 60_000, deadlineMs = 60_000) =>
    createMailReader({
      logger: { warn: (facts: object) => warned.push(facts) },
      deadlineMs,
      cpuLimitMs,
      thread: THREAD,
    })

  for (const [what, why, cpuLimitMs] of [
    ['fails', 'TypeError', 60_000],
    ['ends never', 'it used too much of a processor', 500],
    ['memory overflows', 'ERR_WORKER_OUT_OF_MEMORY', 60_000],
  ] as const) {
    it(`${what}: the mail is too complex, the next one gets a new thread, and the log has no word of it`, async test => {
      const reader = start(cpuLimitMs)
      // Also when an assertion fails: a thread that is left keeps the whole run waiting.
      test.after(() => reader.stop())
      const [reading, next] = await Promise.all([
        reader.read(TENANT, Buffer.from(what)),
        reader.read(TENANT, Buffer.from('next')),
      ])
      assert.deepEqual(reading, { kind: 'unreadable', reason: 'too_complex' })
      assert.deepEqual(next, { kind: 'ignored' })
      assert.deepEqual(warned.splice(0), [{ why, thread: 'mail 1' }])
    })
  }

  it('gets no processor before the deadline: nothing is said of the mail, and it can be sent again', async test => {
    const reader = start(900, 1000)
    test.after(() => reader.stop())
    await assert.rejects(reader.read(TENANT, Buffer.from('sleeps')), { code: 'busy', retriable: true })
    assert.deepEqual(warned.splice(0), [{ why: 'it had too little of a processor', thread: 'mail 1' }])
  })

  it('is given up when the edge stops, and whoever waits hears of it', async () => {
    const reader = start()
    const waiting = [reader.read(TENANT, Buffer.from('e')), reader.read(TENANT, Buffer.from('next'))]
    setTimeout(() => void reader.stop(), 200)
    for (const result of await Promise.allSettled(waiting)) {
      assert.ok(result.status === 'rejected' && isAssayError(result.reason) && result.reason.code === 'unavailable')
    }
  })
})
