import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { EVERY_MAIL } from './mails.testing.ts'
import { assertLinear, cpuMs, LONG, slownessNow } from './measure.testing.ts'
import { receiveMail } from './receivers.testing.ts'

/** Twice what held up everybody's mail for 6 s. */
const BYTES = 200_000
/** A quarter of what the reader gives a mail: beside others it may take several times what it does. */
const MAX_MS = 500
/** Of thousands one in so many is tried, unless `COST=long` asks for all. */
const EVERY = LONG ? 1 : 120

/** What took seconds at 100 KB, and what costs by two things at once. */
const NAMED = [
  'a style\'s font of "1"',
  'a style\'s transform of "translate"',
  'a style\'s background of "rgb( rgb( "',
  'a selector of ".a"',
  'classes of an element of ".a"',
  'rules that all match',
  'rules of every property that all match',
  'rules of different classes, on elements that have all',
  'rules inside of rules, on nested elements',
  'different classes in one element and one selector',
  'declarations of one rule',
  'multiparts inside of each other',
  'a row of " " in Content-Transfer-Encoding: quoted-printable ',
  'a row of "\\t" in Content-Transfer-Encoding: quoted-printable Content-Disposition: attachment',
]

before(() => receiveMail(EVERY_MAIL['rules that all match']?.(10_000) ?? ''))

test('a mail takes time by its size and less than its limit, whatever its styles, elements, headers and parts are', async () => {
  const names = Object.keys(EVERY_MAIL)
  const sampled = names.filter((_, place) => place % EVERY === 0)
  for (const what of new Set([...NAMED, ...sampled])) {
    const make = EVERY_MAIL[what]
    assert.ok(make, what)
    let least = Number.POSITIVE_INFINITY
    const slowness = await slownessNow()
    await assertLinear(what, BYTES, make, async mail => {
      const began = cpuMs()
      await receiveMail(mail)
      if (mail.length >= BYTES) least = Math.min(least, cpuMs() - began)
      assert.ok(
        cpuMs() - began < 4 * MAX_MS * slowness,
        `${what}, ${mail.length} bytes: ${(cpuMs() - began).toFixed(0)} ms`,
      )
    })
    const bound = MAX_MS * slowness
    assert.ok(least === Number.POSITIVE_INFINITY || least < bound, `${what}: ${least.toFixed(0)} of ${bound} ms`)
  }
})
