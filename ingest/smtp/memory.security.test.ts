import assert from 'node:assert/strict'
import { mock, type TestContext, test } from 'node:test'
import { createShares } from '../../infra/runtime/shares.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { formatIngestionAddress } from '../../model/sources/ingestion-address.ts'
import { newId, type SourceId, type TenantId } from '../../schemas/domain/ids.ts'
import { createByteBudget } from '../append/byte-budget.ts'
import { createBodyDeadlines } from '../http/body-flow.ts'
import { createFailureBudget } from '../limits/budgets.ts'
import type { Source } from '../registry/source.ts'
import { postSignal, startTestEdge, testSource } from '../testing.ts'
import { collectMail } from './collect-mail.ts'
import { openDialogue } from './dialogue.testing.ts'
import { listen } from './listener.ts'

/** Mail that begins and does not end, as much of it as the memory for everybody's bodies holds. */

const DOMAIN = 'in.example.com'
const LIMIT = 100_000
/** Two of them fit into a quarter of the limit. */
const MAIL = `Subject: s\n\n${'x'.repeat(9_980)}\n`
const HELD = 9_900

const startListener = async (t: TestContext, { limit = LIMIT, memoryOfSender = createShares(limit, 1) } = {}) => {
  const sources = new Map<SourceId, Source>()
  const budget = createByteBudget(limit)
  const listening = await listen(
    { host: '127.0.0.1', port: 0, domain: DOMAIN, tls: null, stopTimeoutMs: 100 },
    {
      registry: {
        find: id => {
          const source = sources.get(id)
          return source === undefined ? { kind: 'unknown' } : { kind: 'found', source }
        },
      },
      acceptMail: async ({ release }) => {
        release()
        return { kind: 'accepted', snippetIds: [], headers: {} }
      },
      budget,
      memoryOf: createShares<TenantId>(limit, 1),
      memoryOfSender,
      failures: createFailureBudget(100),
      observe: () => {},
      logger: { error: () => {} },
    },
  )
  t.after(() => listening.stop())
  const addSource = () => {
    const source = testSource({ kind: 'email' })
    sources.set(source.id, source)
    return source
  }
  /** Says all of a mail but its end, and waits until it is heard or refused: `holds` is what is held by then. */
  const begin = async (recipients: readonly Source[], holds: number, mail = MAIL) => {
    const dialogue = await beginMail(listening.port, recipients)
    dialogue.say(mail)
    await eventually(`${holds} bytes are held`, () => budget.used() >= holds)
    return dialogue
  }
  /** What the listener says to a whole mail. */
  const send = async (recipient: Source) => {
    const dialogue = await beginMail(listening.port, [recipient])
    dialogue.say(`${MAIL}.\nQUIT\n`)
    await dialogue.hears(/^221 /m)
    dialogue.socket.destroy()
    return Number(/^354 [^\n]*\n(\d{3})/m.exec(dialogue.heard())?.[1])
  }
  return { budget, addSource, begin, send }
}

const beginMail = async (port: number | null, recipients: readonly Source[]) => {
  const dialogue = await openDialogue(port)
  const addresses = recipients.map(({ id }) => formatIngestionAddress({ slug: 'acme', sourceId: id, domain: DOMAIN }))
  const to = addresses.map(address => `RCPT TO:<${address}>\n`).join('')
  dialogue.say(`EHLO x\nMAIL FROM:<a@example.com>\n${to}DATA\n`)
  await dialogue.hears(/^354 /m)
  return dialogue
}

/** Senders that nothing holds back but what their mail is for. */
const manySenders = () => createShares<string>(100 * LIMIT, 1)

test('mail for one tenant, whoever sends it, leaves room for what is sent to others', async t => {
  const { budget, addSource, begin, send } = await startListener(t, { memoryOfSender: manySenders() })
  const [flooded, other] = [addSource(), addSource()]
  const dialogues = [await begin([flooded], HELD), await begin([flooded], 2 * HELD)]
  assert.equal(await send(flooded), 451)
  assert.equal(await send(other), 250)
  for (const { socket } of dialogues) socket.destroy()
  await eventually('what was held is given back', () => budget.used() === 0)
  assert.equal(await send(flooded), 250)
})

test('mail of one sender, whoever it is for, leaves room for what others send', async t => {
  const { budget, addSource, begin, send } = await startListener(t)
  const [first, second] = [await begin([addSource()], HELD), await begin([addSource()], 2 * HELD)]
  assert.equal(await send(addSource()), 451)
  assert.ok(budget.used() < LIMIT / 4)
  first.say('.\n')
  await first.hears(/^250 2\.6\.0 OK/m)
  assert.equal(await send(addSource()), 250)
  second.socket.destroy()
  first.socket.destroy()
})

test('mail for several tenants counts for each of them', async t => {
  const { budget, addSource, begin, send } = await startListener(t, { memoryOfSender: manySenders() })
  const flooded = [addSource(), addSource()]
  // Each tenant's part is a quarter of what the others leave, and the other one of the two holds as much: two of these
  // fit into it, and a third does not.
  const mail = `Subject: s\n\n${'x'.repeat(7_980)}\n`
  const dialogues = [await begin(flooded, 7_900, mail), await begin(flooded, 15_800, mail)]
  for (const source of flooded) assert.equal(await send(source), 451)
  assert.equal(await send(addSource()), 250)
  for (const { socket } of dialogues) socket.destroy()
  await eventually('what was held is given back', () => budget.used() === 0)
  for (const source of flooded) assert.equal(await send(source), 250)
})

test('mail that comes byte by byte is answered 421 and let go, and mail that comes fast is not', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.after(() => mock.timers.reset())
  const { budget, addSource, begin } = await startListener(t, { limit: 10_000_000 })
  const portion = `Subject: s\n\n${`${'x'.repeat(998)}\n`.repeat(500)}`
  const fast = await begin([addSource()], 490_000, portion)
  const slow = await begin([addSource()], 490_000 + HELD)
  mock.timers.tick(29_000)
  slow.say('x')
  fast.say(portion)
  await eventually('it is held', () => budget.used() >= 980_000 + HELD)
  mock.timers.tick(2_000)
  await slow.hears(/^421 .*too slowly/m)
  await eventually('the connection is closed', () => slow.socket.destroyed || slow.socket.readableEnded)
  await eventually('what was held is given back', () => budget.used() < 1_005_000)
  mock.timers.tick(20_000)
  fast.say('.\n')
  await fast.hears(/^250 2\.6\.0 OK/m)
  assert.equal(budget.used(), 0)
  fast.socket.destroy()
})

test('mail in tiny pieces takes no more memory than it counts for: no piece is kept', async () => {
  const text = Buffer.from('Subject: s\r\n\r\na mail, byte by byte')
  const piece = Buffer.alloc(1)
  const pieces = async function* () {
    for (const byte of text) {
      piece[0] = byte
      yield piece
    }
  }
  const deadlines = createBodyDeadlines({ totalMs: 60_000 })
  const { outcome } = await collectMail(Object.assign(pieces(), { destroy: () => {} }), {
    maxBytes: 1_000,
    memory: createByteBudget(1_000),
    deadlines,
    onEndless: assert.fail,
  })
  deadlines.stop()
  assert.equal(outcome.kind === 'complete' ? String(outcome.bytes) : outcome.kind, String(text))
})

test('an edge takes signals and mail of others while one sender fills its share', async t => {
  const edge = await startTestEdge({ mailDomain: DOMAIN, smtpPort: 0, maxInFlightBytes: 40 * 1024 * 1024 })
  t.after(() => edge.stop())
  const inFlight = async () =>
    Number(/^assay_ingest_in_flight_bytes\{.*\} (\d+)$/m.exec(await (await fetch(`${edge.url}/metrics`)).text())?.[1])
  const tenantId = newId<TenantId>()
  const source = edge.sources.add({ kind: 'email', secrets: [], tenantId })
  const large = `Subject: s\n\n${`${'x'.repeat(998)}\n`.repeat(10_000)}`
  // What an address or a tenant holds has room for the largest body that any receiver takes, a code host's of 25 MiB:
  // two of these mails fit into it, and a third does not.
  const first = await beginMail(edge.smtpPort, [source])
  first.say(large)
  await eventually('it is held', async () => (await inFlight()) > 9_900_000)
  const second = await beginMail(edge.smtpPort, [source])
  second.say(large)
  await eventually('both are held', async () => (await inFlight()) > 19_800_000)
  const third = await beginMail(edge.smtpPort, [source])
  third.say(`${large}.\n`)
  await third.hears(/^451 /m)
  assert.equal((await postSignal(edge.url, edge.sources.add().id, { text: 'A signal of another.' })).status, 200)
  for (const { socket } of [first, second, third]) socket.destroy()
})
