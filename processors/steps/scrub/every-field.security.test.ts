import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Content } from '../../../schemas/events/signal.ts'
import { withContent } from '../testing.ts'
import { createScrub } from './scrub.ts'

const step = createScrub({ actorKey: () => 'a key' })

const scrubbed = async (known: Partial<Content>): Promise<Content> => {
  const [result] = await step.run([withContent('x', known)])
  assert.equal(result?.kind, 'next')
  return result.adds.content
}

/** What is hidden or in another language; none of it may be left in any field. */
const PERSONAL: readonly (readonly [written: string, kind: string])[] = [
  ['फोन ९८७६५४३२१०', 'फोन [PHONE]'],
  ['मोबाइल नंबर 9876543210', 'मोबाइल नंबर [PHONE]'],
  ['τηλ. 6912345678', 'τηλ. [PHONE]'],
  ['zavolejte 601 234 567', 'zavolejte [PHONE]'],
  ['我的号码 138 1234 5678', '我的号码 [PHONE]'],
  ['SSN# 536.90.4399', 'SSN# [NATIONAL_ID]'],
  ['passport no. C01X00T47', 'passport no. [NATIONAL_ID]'],
  ['https://wa.me/491701234568', 'https://wa.me/[PHONE]'],
  ['kim=40gmail.com', '[EMAIL]'],
  ['kim_AT_gmail.com', '[EMAIL]'],
  ['kim_at_gmail_dot_com', '[EMAIL]'],
  ['kim @gmail.com', '[EMAIL]'],
  ['kim AT gmail DOT com', '[EMAIL]'],
  ['https://api.whatsapp.com/send?phone=491701234568', 'https://api.whatsapp.com/send?phone=[PHONE]'],
  ['https://t.me/+491701234568', 'https://t.me/[PHONE]'],
  ['https://signal.me/#p/+491701234568', 'https://signal.me/#p/[PHONE]'],
  ['viber://chat?number=%2B491701234568', 'viber://chat?number=[PHONE]'],
  ...['tel', 'sms', 'callto', 'smsto', 'fax', 'facetime'].map(
    scheme => [`${scheme}:491701234568`, `${scheme}:[PHONE]`] as const,
  ),
  ['x[at]y[dot]de', '[EMAIL]'],
  ['x(ät)y.de', '[EMAIL]'],
  ['x&#64;y.de', '[EMAIL]'],
  ['x\\u0040y.de', '[EMAIL]'],
  ['x%40y.de', '[EMAIL]'],
  ['x%2540y.de', '[EMAIL]'],
  ['x﹫y.de', '[EMAIL]'],
  ['x&#65312;y.de', '[EMAIL]'],
  ['x&#8203;@y.de', '[EMAIL]'],
  ['x&#x200b;@y.de', '[EMAIL]'],
  ['x\\uff20y.de', '[EMAIL]'],
  ['x\\u200b@y.de', '[EMAIL]'],
  ['x<at>y<dot>de', '[EMAIL]'],
  ['x&lt;at&gt;y&lt;dot&gt;de', '[EMAIL]'],
  ['फोन &#2415;&#2414;&#2413;&#2412;&#2411;&#2410;&#2409;&#2408;&#2407;&#2406;', 'फोन [PHONE]'],
  ['ફોન 9876543210', 'ફોન [PHONE]'],
  ['ਫ਼ੋਨ 9876543210', 'ਫ਼ੋਨ [PHONE]'],
  ['ಫೋನ್ 9876543210', 'ಫೋನ್ [PHONE]'],
  ['ഫോൺ 9876543210', 'ഫോൺ [PHONE]'],
  ['გამირეკეთ 555 12 34 56', 'გამირეკეთ [PHONE]'],
  ['https://desk.example/YUBleGFtcGxlLm9yZyBpcyBtZQ==', 'https://desk.example/[EMAIL]'],
  ['card ④②④②④②④②④②④②④②④②', 'card [CARD]'],
  ['card four two four two four two four two four two four two four two four two', 'card [CARD]'],
]

/** Every field of a signal in which a sender writes freely; the others are chosen from a list, or made by scrub. */
const FIELDS = ['text', 'event', 'source', 'source_url', 'actor_name'] as const
const CHOSEN = ['text_hash', 'actor_email', 'actor_key', 'signal_origin', 'actor_role', 'occurred_at', 'metadata']

test('the fields that are tried are all that a signal has', async () => {
  assert.deepEqual(Object.keys(await scrubbed({})).toSorted(), [...FIELDS, ...CHOSEN].toSorted())
})

for (const [written, clean] of PERSONAL) {
  test(`gone from every field: ${written}`, async () => {
    for (const field of FIELDS) assert.equal((await scrubbed({ [field]: written }))[field], clean, field)
    assert.equal((await scrubbed({ actor_email: written })).actor_email, '[EMAIL]')
    const subject = {
      subject: written,
      attachments: [{ name: written }],
      branch: written,
      [written]: 1,
      deep: [[written]],
    }
    const { metadata } = await scrubbed({ metadata: JSON.stringify(subject) })
    assert.deepEqual(JSON.parse(metadata), {
      subject: clean,
      attachments: [{ name: clean }],
      branch: clean,
      [clean]: 1,
      deep: [[clean]],
    })
  })
}

test('in a link percent-encoding hides nothing, whatever it encodes', async () => {
  for (const address of [
    'x[at]y[dot]de',
    'x(ät)y.de',
    'x&#64;y.de',
    'x&commat;y.de',
    'x\\u0040y.de',
    'x＠y.de',
    'x@y.de',
  ]) {
    for (const encoded of [encodeURIComponent(address), encodeURIComponent(encodeURIComponent(address))]) {
      const { source_url } = await scrubbed({ source_url: `https://desk.example/u?mail=${encoded}&n=1` })
      assert.equal(source_url, 'https://desk.example/u?mail=[EMAIL]&n=1')
    }
  }
})
