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
  ['https://m.me/491701234568', 'https://m.me/[PHONE]'],
  ['https://t.me/491701234568', 'https://t.me/[PHONE]'],
  ['https://www.messenger.com/t/491701234568', 'https://www.messenger.com/t/[PHONE]'],
  ['https://line.me/ti/p/~491701234568', 'https://line.me/ti/p/~[PHONE]'],
  ['0171/234/5678', '[PHONE]'],
  ['0171_234_5678', '[PHONE]'],
  ['+49_171_2345678', '[PHONE]'],
  ['phone 0171·234·5678', 'phone [PHONE]'],
  ['06/12/34/56/78', '[PHONE]'],
  ['*+49 171 2345678*', '*[PHONE]*'],
  ...['_', '/', '\\', '·', '•', '*', '~'].map(sign => [['4242', '4242', '4242', '4242'].join(sign), '[CARD]'] as const),
  ['3782_822463_10005', '[CARD]'],
  ['_4242 4242 4242 4242_', '_[CARD]_'],
  ...['_', '/', '.', '·'].map(sign => [['DE89', '3704', '0044', '0532', '0130', '00'].join(sign), '[IBAN]'] as const),
  ['SSN: 536_90_4399', 'SSN: [NATIONAL_ID]'],
  ['Steuer-ID 86_095_742_719', 'Steuer-ID [NATIONAL_ID]'],
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
const FIELDS = [
  'text',
  'event',
  'source',
  'source_url',
  'actor_name',
  'cut_signature',
  'cut_quoted',
  'cut_footer',
] as const
const CHOSEN = [
  'text_hash',
  'actor_email',
  'actor_key',
  'signal_origin',
  'actor_role',
  'occurred_at',
  'metadata',
  'cut_omitted',
]

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

/** What digits between such signs are besides: days, versions, names of files, paths, shares, numbers of things. */
const LOOK_ALIKES: readonly string[] = [
  ...['12/05/2024', '2024/05/06', '01/02/2024 03/04/2024', '5/10/2024 - 6/10/2024', 'build 2024_05_06_1234'],
  ...['IMG_20240512_123456', 'file_20240512_123456.png', 'src/0171/234/5678.ts', 'https://shop.example/0171/234/5678'],
  ...[
    '4242_1234_4242_4241',
    'id_4242424242424242',
    'run 12345678/12345679',
    'ratio 16/9',
    '1/2/3/4/5/6/7',
    '3*4*5*6*7*8',
  ],
  ...['order 0171/234/5678', 'invoice 2024/0171/234', '1080/1920/60', 'x_1_2_3', '10_000_000 rows', '~100 of 2~3'],
  ...['https://m.me/acme123', 'https://t.me/c/1234567890/12', 'https://t.me/acme_support', '**2024-05-06**'],
]

test('digits between signs that are no number of a person stay', async () => {
  for (const written of LOOK_ALIKES) {
    const { text, metadata } = await scrubbed({
      text: `See ${written} there`,
      metadata: JSON.stringify({ note: written }),
    })
    assert.equal(text, `See ${written} there`)
    assert.equal(metadata, JSON.stringify({ note: written }))
  }
})
