import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Received } from '../../schemas/events/signal.ts'
import { BODIES, MAILS } from './bodies.testing.ts'
import { cpuOf, LONG } from './measure.testing.ts'
import { receive, receiveMail, type Sent } from './receivers.testing.ts'
import { throughSteps } from './steps.testing.ts'
import { filled } from './units.testing.ts'

/** CPU of a body from its receiver to behind the classifier. Beside others on a slow machine it may take several times what it does alone. */
const MOST_MS = LONG ? 250 : 1_000

const TEXTS = [
  '1 2 3 ',
  'call 030 1234567, ',
  '(1',
  '电话123456789 ',
  '1.1.1.1 ',
  '가나',
  '12345678901 ',
  '+1 2 ',
  '192.168.1.1, 电话1',
]
const METADATA = {
  phone: Array.from({ length: 900 }, (_, place) => 1_234_567_890 + place * 7_919),
  tel: filled('12 34-', 30_000),
}
const text = (unit: string) => `${filled(unit, 48_000)}.`

const json = (unit: string): readonly Sent[] => {
  const signal = { text: text(unit), metadata: METADATA, source: text(unit), actor_email: text(unit) }
  const commits = Array.from({ length: 500 }, (_, place) => ({ id: `${1e9 + place}`, message: filled(unit, 95) }))
  const event = { ref: 'refs/heads/main', repository: { full_name: 'a/b' }, sender: { login: 'a' }, commits }
  return [
    { receiver: 'signal', body: JSON.stringify(signal) },
    {
      receiver: 'connection',
      headers: { 'webhook-id': '1' },
      body: JSON.stringify({ type: 'a', timestamp: '2026-01-01', data: signal }),
    },
    {
      receiver: 'code_host',
      headers: { 'x-github-event': 'push', 'content-type': 'application/json' },
      body: JSON.stringify({ ...event, other: filled('a, ', LONG ? 24_000_000 : 500_000) }),
    },
  ]
}

const mailOf = (unit: string): string =>
  `From: a@example.com\r\nSubject: ${filled(unit, 900)}\r\n\r\n${text(unit)}\r\n${filled(`> ${unit}\r\n`, LONG ? 9_000_000 : 300_000)}`

const whole = async (received: Received | null) => {
  if (received !== null) await throughSteps(received.body, received.format, (_, work) => work())
}

test('the dearest body of each receiver costs no more than a signal may', async context => {
  const dearest = new Map<string, { readonly ms: number; readonly what: string }>()
  const tell = async (receiver: string, what: string, work: () => unknown) => {
    let ms = await cpuOf(work, 1)
    if (ms > (dearest.get(receiver)?.ms ?? 0)) ms = Math.min(ms, await cpuOf(work, 3))
    if (ms > (dearest.get(receiver)?.ms ?? 0)) dearest.set(receiver, { ms, what })
  }
  for (const unit of LONG ? TEXTS : TEXTS.slice(0, 3)) {
    for (const sent of json(unit)) await tell(sent.receiver, `text of ${unit}`, () => whole(receive(sent)))
    const mail = mailOf(unit)
    await tell('email', `text of ${unit}`, async () => whole(await receiveMail(mail)))
  }
  if (LONG) {
    for (const [what, make] of Object.entries(BODIES)) {
      const sent = make(1_000_000)
      await tell(sent.receiver, what, () => whole(receive(sent)))
    }
    for (const [what, make] of Object.entries(MAILS)) {
      const mail = make(10_000_000)
      await tell('email', what, async () => whole(await receiveMail(mail)))
    }
  }
  for (const [receiver, { ms, what }] of dearest) context.diagnostic(`${receiver}: ${ms.toFixed(0)} ms of CPU, ${what}`)
  for (const [receiver, { ms, what }] of dearest) {
    assert.ok(ms <= MOST_MS, `${receiver}, ${what}: ${ms.toFixed(0)} ms of CPU`)
  }
})
