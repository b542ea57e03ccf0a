import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textHash } from '../../../model/signals/normalize.ts'
import type { Content } from '../../../schemas/events/signal.ts'
import { withContent } from '../testing.ts'
import { createScrub } from './scrub.ts'

const step = createScrub({ actorKey: address => `key of ${address.length}: ${address.at(0)}` })

const scrub = async (text: string, known: Partial<Content> = {}) => {
  const [result] = await step.run([withContent(text, known)])
  assert.equal(result?.kind, 'next')
  return result.adds
}
const metadata = async (value: unknown) =>
  JSON.parse((await scrub('x', { metadata: JSON.stringify(value) })).content.metadata)

test('each kind has its placeholder, is counted, and names stay', async () => {
  const { content, scrubbed } = await scrub(
    'Sender Name (sender@example.com, other@example.com, +1 415 555 2671) paid with 4111 1111 1111 1111 from 203.0.113.7, SSN 536-90-4399',
  )
  assert.equal(
    content.text,
    'Sender Name ([EMAIL], [EMAIL], [PHONE]) paid with [CARD] from [IP_ADDRESS], SSN [NATIONAL_ID]',
  )
  assert.deepEqual(scrubbed.replaced, { EMAIL: 2, PHONE: 1, CARD: 1, IP_ADDRESS: 1, NATIONAL_ID: 1 })
  assert.equal(content.text_hash, textHash(content.text))
})

test('what only looks like personal data survives to the letter', async () => {
  const text = [
    'Order 100000000001234567, invoice #2024-000123456, ticket 4155552671, SKU 0123-4567-8901',
    'v10.0.19045.3803, version 1.2.3.4, 1.2.3, Chrome/120.0.6099.129',
    'at 2024-01-15T10:30:45.123Z, 15.01.2024 10:30, 12:30:45, 1767225600000',
    'id 550e8400-e29b-41d4-a716-446655440000, sha 3f786850e387550fdab836ed7e6dc881de23001b',
    'costs $1,234,567.89 or 1.234.567,89 €, +20%, 1 000 000 users, 3840x2160',
    '@mention, std::vector, #12345678, a@b, 00:1a:2b:3c:4d:5e',
  ].join('\n')
  const { content, scrubbed } = await scrub(text)
  assert.equal(content.text, text)
  assert.deepEqual(scrubbed.replaced, {})
})

test('the actor’s address becomes a key, the same for every spelling of it', async () => {
  const keys = []
  for (const actor_email of ['sender@example.com', ' SENDER@Example.com', 'Sender <sender@example.com>']) {
    const { content, scrubbed } = await scrub('x', { actor_email })
    assert.equal(content.actor_email, '[EMAIL]')
    assert.deepEqual(scrubbed.replaced, { EMAIL: 1 })
    keys.push(content.actor_key)
  }
  assert.deepEqual(new Set(keys), new Set(['key of 18: s']))
  assert.equal((await scrub('x')).content.actor_key, null)
})

test('a number of few digits that stands alone in a text is found', async () => {
  assert.equal((await scrub('My NI number is AB 12 34 56 C')).content.text, 'My NI number is [NATIONAL_ID]')
  assert.equal((await scrub('ABCPE1234F')).content.text, '[NATIONAL_ID]')
})

test('an address is never kept because it is no proper one', async () => {
  assert.equal((await scrub('x', { actor_email: 'sender at example' })).content.actor_email, '[EMAIL]')
})

test('labels and links are scrubbed, a name keeps everything but the address in it', async () => {
  const { content } = await scrub('x', {
    actor_name: 'Sender <sender@example.com>',
    source: 'chat with +1 415 555 2671',
    event: 'mail.sender@example.com',
    source_url: 'https://desk.example/u?mail=sender%40example.com&ip=203.0.113.7#4111111111111111',
  })
  assert.equal(content.actor_name, 'Sender <[EMAIL]>')
  assert.equal(content.source, 'chat with [PHONE]')
  assert.equal(content.event, '[EMAIL]')
  assert.equal(content.source_url, 'https://desk.example/u?mail=[EMAIL]&ip=[IP_ADDRESS]#[CARD]')
})

test('extensions, accounts and coins go from labels, links and keys as from texts', async () => {
  const account = 'DE89370400440532013000'
  const coin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
  const { content } = await scrub('x', {
    actor_name: 'Sender +1-604-696-5272x565',
    source: '604-696-5272-Fax',
    event: `refund.${account}`,
    source_url: `https://desk.example/tel:+1-604-696-5272;ext=12?to=${coin}&iban=${account}&order=604-696-5272`,
    metadata: JSON.stringify({ [account]: { [coin]: '604-696-5272x565' }, order: '604-696-5272' }),
  })
  assert.deepEqual(
    [content.actor_name, content.source, content.event],
    ['Sender [PHONE]', '[PHONE]-Fax', 'refund.[IBAN]'],
  )
  assert.equal(content.source_url, 'https://desk.example/tel:[PHONE]?to=[CRYPTO]&iban=[IBAN]&order=604-696-5272')
  assert.deepEqual(JSON.parse(content.metadata), { '[IBAN]': { '[CRYPTO]': '[PHONE]' }, order: '604-696-5272' })
})

test('a link is scrubbed in its path, its query and its fragment, encoded or not', async () => {
  const { content } = await scrub('x', {
    source_url:
      'https://desk.example/u/sender@example.com/%2B44%2020%207946%200123?to=a%2540example.org&card=4111%201111%201111%201111&ip=2001%3Adb8%3A%3A1&id=20240510#YUBleGFtcGxlLm9yZyBpcyBtZQ==',
  })
  assert.equal(
    content.source_url,
    'https://desk.example/u/[EMAIL]/[PHONE]?to=[EMAIL]&card=[CARD]&ip=[IP_ADDRESS]&id=20240510#[EMAIL]',
  )
})

test('metadata is scrubbed in keys, strings and numbers, at any depth', async () => {
  assert.deepEqual(
    await metadata({
      'sender@example.com': 1,
      'other@example.com': 2,
      list: [{ ip: '203.0.113.7' }, 'sender@example.com'],
      card: 4111111111111111,
      plan: 'team',
      seats: 12,
      ok: true,
      none: null,
    }),
    {
      '[EMAIL]': 1,
      '[EMAIL] 2': 2,
      list: [{ ip: '[IP_ADDRESS]' }, '[EMAIL]'],
      card: '[CARD]',
      plan: 'team',
      seats: 12,
      ok: true,
      none: null,
    },
  )
})

test('a key of the metadata introduces its value, as a word in a text does', async () => {
  assert.deepEqual(
    await metadata({
      ssn: '536904399',
      phone_number: 4155552671,
      homePhone: '4155552671',
      order_id: '4155552671',
      id: 536904399,
    }),
    {
      ssn: '[NATIONAL_ID]',
      phone_number: '[PHONE]',
      homePhone: '[PHONE]',
      order_id: '4155552671',
      id: 536904399,
    },
  )
})

test('the key around a value’s own key introduces it too, and what was quoted is scrubbed', async () => {
  assert.deepEqual(
    await metadata({
      customerPhone: { number: '612345678', id: '612345678' },
      order: { id: 4155552671, contact: { 'a@example.org': { ssn: 536904399 } } },
      quoted: '> On 10 May 2024, <sender@example.com> wrote:\n> call (415) 555-0132',
    }),
    {
      customerPhone: { number: '[PHONE]', id: '612345678' },
      order: { id: 4155552671, contact: { '[EMAIL]': { ssn: '[NATIONAL_ID]' } } },
      quoted: '> On 10 May 2024, <[EMAIL]> wrote:\n> call [PHONE]',
    },
  )
})

test('a field’s label introduces its value, wherever a form puts the two', async () => {
  assert.deepEqual(
    await metadata({
      fields: [
        { label: 'Phone:', value: '9469 9966' },
        { type: 'text', name: 'SSN', answer: 536904399 },
        { name: 'Order number', value: '4155552671' },
        { key: 'seats', value: 94699966 },
      ],
      phones: ['9469 9966', { home: 94699966 }],
    }),
    {
      fields: [
        { label: 'Phone:', value: '[PHONE]' },
        { type: 'text', name: 'SSN', answer: '[NATIONAL_ID]' },
        { name: 'Order number', value: '4155552671' },
        { key: 'seats', value: 94699966 },
      ],
      phones: ['[PHONE]', { home: '[PHONE]' }],
    },
  )
})

test('a card too long for a number of JSON goes too, and its neighbours stay', async () => {
  const rounded = '6304123456789012000'
  const { content } = await scrub('x', { metadata: `{"card_number":${rounded},"id":${rounded},"amount":${rounded}}` })
  assert.equal(content.metadata, `{"card_number":"[CARD]","id":${rounded},"amount":${rounded}}`)
})

test('a key called __proto__ is a key', async () => {
  const { content } = await scrub('x', { metadata: '{"__proto__":{"mail":"sender@example.com"}}' })
  assert.equal(content.metadata, '{"__proto__":{"mail":"[EMAIL]"}}')
})

test('scrubbing again changes nothing, and keeps the actor’s key', async () => {
  const once = await scrub('sender@example.com, +1 415 555 2671, 203.0.113.7', {
    actor_email: 'sender@example.com',
    metadata: '{"sender@example.com":"4111111111111111"}',
  })
  const { content: text, ...rest } = once
  const twice = await scrub(text.text, text)
  assert.deepEqual(twice.content, text)
  assert.deepEqual(twice.scrubbed, { ...rest.scrubbed, replaced: {} })
})

test('addresses that differ only in whom they name leave texts that say the same', async () => {
  const one = await scrub('Reset the password of sender@example.com')
  const two = await scrub('Reset the password of other@example.com')
  assert.equal(one.content.text_hash, two.content.text_hash)
})
