import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createFakeSources, postSignal, startTestEdge } from '../testing.ts'
import { JSON_SENDERS, type Sender, withMembers } from './senders.ts'

const invalidUtf8 = (body: string): Buffer => Buffer.from(withMembers(body, '"x":"\xff"'), 'latin1')

/** Bodies of any receiver, made from one that is accepted, and the status that answers them. */
const BODIES: readonly (readonly [what: string, status: number, body: (valid: string) => string | Buffer])[] = [
  ['nothing', 400, () => ''],
  ['blanks', 400, () => ' \n '],
  ['no JSON', 400, () => 'hello'],
  ['half of it', 400, body => body.slice(0, -3)],
  ['two values', 400, body => body + body],
  ['a NUL after it', 400, body => `${body}\0`],
  ['a raw NUL in a string', 400, body => withMembers(body, '"x":"\0"')],
  ['a comma too many', 400, body => withMembers(body, '')],
  ['quotes of the wrong kind', 400, body => body.replaceAll('"', "'")],
  ['NaN', 400, body => withMembers(body, '"x":NaN')],
  ['Infinity', 400, body => withMembers(body, '"x":-Infinity')],
  ['a hexadecimal number', 400, body => withMembers(body, '"x":0x10')],
  ['bytes that are no UTF-8', 400, invalidUtf8],
  ['an overlong NUL', 400, body => Buffer.from(withMembers(body, '"x":"\xc0\x80"'), 'latin1')],
  ['UTF-16', 400, body => Buffer.from(body, 'utf16le')],
  ['null', 422, () => 'null'],
  ['a string', 422, () => '"text"'],
  ['an array', 422, body => `[${body}]`],
  ['an empty object', 422, () => '{}'],
  ['arrays 8,000 deep', 422, () => '['.repeat(8_000) + ']'.repeat(8_000)],
  ['a byte order mark', 200, body => Buffer.concat([Buffer.from('\ufeff'), Buffer.from(body)])],
  ['blanks around it', 200, body => `\r\n\t ${body} \n`],
  ['fields that it does not know', 200, body => withMembers(body, '"x":1,"":2,"a.b":{"c":[]}')],
  ['a field that is 7,000 deep', 200, body => withMembers(body, `"x":${'['.repeat(7_000)}${']'.repeat(7_000)}`)],
  [
    'prototype keys',
    200,
    body => withMembers(body, '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}'),
  ],
  ['numbers at the edges', 200, body => withMembers(body, '"x":[1e400,-0,9007199254740993,1e-400,123456789e123]')],
  ['a number of 5,000 digits', 200, body => withMembers(body, `"x":${'9'.repeat(5_000)}`)],
  ['an escaped NUL and half a character', 200, body => withMembers(body, '"x":"\\u0000\\ud800"')],
]

describe('JSON that is not as it should be', () => {
  const sources = createFakeSources()
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  before(async () => {
    edge = await startTestEdge({}, { sources: sources.loader })
  })
  after(() => edge.stop())

  const post = (sender: Sender, id: string, body: Buffer): Promise<Response> =>
    fetch(`${edge.url}${sender.receiver.path}${id}`, {
      method: 'POST',
      headers: sender.headers(body),
      body: new Uint8Array(body),
    })

  for (const sender of JSON_SENDERS) {
    it(`has its answers at ${sender.name}`, async () => {
      const { id } = sources.add(sender.source)
      for (const [what, status, make] of BODIES) {
        const response = await post(sender, id, Buffer.from(make(sender.body)))
        const text = await response.text()
        assert.equal(response.status, status, `${what}: ${text}`)
        assert.equal(JSON.parse(text).ok, status === 200, what)
      }
      assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
    })

    it(`is too large beyond the limit of ${sender.name}, and no larger than that is read`, async () => {
      const { id } = sources.add(sender.source)
      const limit = sender.receiver.maxBodyBytes
      const filled = (bytes: number) => {
        const empty = withMembers(sender.body, '"x":""')
        return Buffer.from(withMembers(sender.body, `"x":"${'x'.repeat(bytes - empty.length)}"`))
      }
      assert.equal((await post(sender, id, filled(limit))).status, 200)
      assert.equal((await post(sender, id, filled(limit + 1))).status, 413)
    })
  }

  const signalOf = async (body: string): Promise<Record<string, unknown>> => {
    edge.log.appends.length = 0
    const response = await postSignal(edge.url, sources.add().id, body)
    assert.equal(response.status, 200, await response.text())
    const [signal] = await edge.signals()
    return JSON.parse(signal?.received?.body ?? '')
  }

  it('counts the last of several fields of one name', async () => {
    assert.deepEqual(await signalOf('{"text":"first","text":"last","metadata":{"a":1,"a":2}}'), {
      text: 'last',
      metadata: { a: 2 },
    })
  })

  it('keeps a text as it was written, with what the store cannot have', async () => {
    assert.equal((await signalOf('{"text":"a\\u0000b\\ud800c"}')).text, 'a\u0000b\ud800c')
  })

  it('leaves prototype keys out of a signal, and keeps them as data in its metadata', async () => {
    const kept = await signalOf('{"text":"x","__proto__":{"source":"forged"},"metadata":{"__proto__":{"a":1}}}')
    assert.equal(kept.source, undefined)
    assert.equal(JSON.stringify(kept), '{"text":"x","metadata":{"__proto__":{"a":1}}}')
  })

  it('rounds a number in the metadata to the nearest double, and refuses one that has none', async () => {
    const { metadata } = await signalOf('{"text":"x","metadata":{"a":9007199254740993,"b":-0,"c":1e-400}}')
    assert.deepEqual(metadata, { a: 9007199254740992, b: 0, c: 0 })
    for (const number of ['1e400', '-1e400']) {
      const response = await postSignal(edge.url, sources.add().id, `{"text":"x","metadata":{"a":[${number}]}}`)
      assert.equal(response.status, 422)
      assert.match(await response.text(), /"pointer":"\/metadata"/)
    }
  })

  it('refuses metadata that nests deeper than 32 levels', async () => {
    const nested = (levels: number) => `{"text":"x","metadata":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
    assert.equal((await postSignal(edge.url, sources.add().id, nested(32))).status, 200)
    for (const levels of [33, 100_000]) {
      assert.equal((await postSignal(edge.url, sources.add().id, nested(levels))).status, 422)
    }
  })

  it('takes a metric’s value if it is a finite number', async () => {
    const metric = JSON_SENDERS.find(({ name }) => name === 'metric')
    assert.ok(metric)
    const { id } = sources.add(metric.source)
    const statusOf = async (value: string) => (await post(metric, id, Buffer.from(`{"value":${value}}`))).status
    for (const value of ['0', '-0', '1e308', '5e-324', '1e-400', '9007199254740993']) {
      assert.equal(await statusOf(value), 200, value)
    }
    for (const value of ['1e400', '-1e400', 'null', 'true', '"1"', '[1]', '{"a":1}']) {
      assert.equal(await statusOf(value), 422, value)
    }
    for (const value of ['NaN', '.5', '01', '+1']) assert.equal(await statusOf(value), 400, value)
  })
})
