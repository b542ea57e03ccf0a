import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createSealer, INSTALLATION_KEY_BYTES, sha256 } from '../../../infra/runtime/secrets.ts'
import { type Person, startTestApi, type TestApi } from '../../testing.ts'
import { signingExamples } from './signing-examples.ts'

let kit: TestApi
before(async () => {
  kit = await startTestApi()
})
after(() => kit.stop())

interface Created {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly examples: { readonly curl: string; readonly openssl: string }
}

const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail

test('a key is shown once, has the documented form, and only its hash is stored', async () => {
  const person = await kit.signUp()
  const { id, key } = await person.data<{ id: string; key: string }>('create_key', { label: ' Planning agent ' })
  assert.match(key, /^service_mcp_[0-9a-f]{32}$/)
  const { rows } = await kit.database.pool.query('select * from mcp_keys where id = $1', [id])
  assert.ok(sha256(key).equals(rows[0].hash))
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(key))
  const { items } = await person.data<{ items: Record<string, unknown>[] }>('list_keys')
  assert.deepEqual(
    { ...items[0], created_at: '' },
    { id, label: 'Planning agent', last_four: key.slice(-4), yours: true, created_at: '', last_used_at: null },
  )
  assert.doesNotMatch(JSON.stringify(items), new RegExp(key))
})

test('a person deletes the keys that are theirs to delete', async () => {
  const [owner, stranger] = [await kit.signUp(), await kit.signUp()]
  const { id } = await owner.data<{ id: string }>('create_key', { label: 'Mine' })
  assert.equal((await stranger.call('delete_key', { id })).status, 404)
  assert.deepEqual(await owner.data('delete_key', { id }), { id })
  assert.equal((await owner.call('delete_key', { id })).status, 404)
})

test('a source’s secret is shown once and stored sealed', async () => {
  const person = await kit.signUp()
  const { id, url, secret } = await person.data<Created>('create_source', { kind: 'signal', name: 'Support' })
  assert.equal(url, `http://assay.test/api/webhooks/custom/${id}`)
  const { rows } = await kit.database.pool.query('select * from sources where id = $1', [id])
  const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7))
  assert.equal(sealer.unseal(rows[0].sealed_secret), secret)
  const { items } = await person.data<{ items: object[] }>('list_sources')
  assert.equal(items.length, 1)
  assert.doesNotMatch(JSON.stringify(items), new RegExp(secret))
})

test('a workspace has one signal webhook and any number of code hosts', async () => {
  const person = await kit.signUp()
  const signal = { kind: 'signal', name: 'Signals' }
  const { id } = await person.data<Created>('create_source', signal)
  const second = await person.call('create_source', signal)
  assert.equal(second.status, 409)
  assert.match(await detailOf(second), /has its signal webhook already/)
  for (const name of ['one', 'two']) {
    const { url } = await person.data<Created>('create_source', { kind: 'code_host', name, code_host: 'forgejo' })
    assert.match(url, /\/api\/webhooks\/forgejo\/[0-9a-f-]{36}$/)
  }
  await person.data('delete_source', { id })
  await person.data<Created>('create_source', signal)
})

test('other kinds of sources, and hosts that do not fit the kind, are refused with what is allowed', async () => {
  const person = await kit.signUp()
  const refusal = async (input: object) => detailOf(await person.call('create_source', input))
  assert.match(await refusal({ kind: 'metric', name: 'x' }), /\/kind must be one of signal, code_host/)
  assert.match(await refusal({ kind: 'code_host', name: 'x' }), /needs code_host: github, gitea, forgejo/)
  assert.match(await refusal({ kind: 'signal', name: 'x', code_host: 'github' }), /has no code_host/)
  assert.match(await refusal({ kind: 'signal', name: '  ' }), /\/name must not be blank/)
  assert.match(await refusal({ kind: 'signal', name: 'x', secret: 'mine' }), /\/secret is not a field here/)
})

test('another workspace’s source cannot be deleted', async () => {
  const [owner, stranger] = [await kit.signUp(), await kit.signUp()]
  const { id } = await owner.data<Created>('create_source', { kind: 'signal', name: 'Mine' })
  assert.equal((await stranger.call('delete_source', { id })).status, 404)
  assert.equal((await owner.data<{ items: object[] }>('list_sources')).items.length, 1)
})

test('a repeated create_source under one idempotency key makes one source and shows its secret once', async () => {
  const person = await kit.signUp()
  const create = () =>
    person.call(
      'create_source',
      { kind: 'code_host', name: 'Host', code_host: 'github' },
      { 'x-idempotency-key': 'one' },
    )
  const answers = await Promise.all([create(), create()])
  const data = await Promise.all(answers.map(async answer => ((await answer.json()) as { data: Created }).data))
  assert.equal(data[0]?.id, data[1]?.id)
  assert.equal(data.filter(({ secret }) => secret !== null).length, 1)
  assert.equal(data.filter(({ examples }) => examples !== null).length, 1)
})

test('a new workspace is empty, and belongs to who made it', async () => {
  const [owner, stranger] = [await kit.signUp(), await kit.signUp()]
  const { id } = await owner.data<{ id: string }>('create_workspace', { name: 'Second' })
  const inside = async (who: Person) => (await who.call('list_sources', {}, { 'x-workspace-id': id })).status
  assert.equal(await inside(owner), 200)
  assert.equal(await inside(stranger), 403)
})

/** What a shell sends when it runs a command against a server that listens here. */
const sent = async (kind: 'signal' | 'code_host', which: 'curl' | 'openssl', secret: string) => {
  const received: { headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const examples = signingExamples(kind, `http://127.0.0.1:${port}/hook`, secret)
    await promisify(execFile)('sh', ['-eu', '-c', examples[which]])
  } finally {
    server.close()
  }
  const [request] = received
  assert.ok(request)
  return request
}

test('the shell examples send a body under its right signature', async () => {
  const secret = 'ab'.repeat(32)
  for (const which of ['curl', 'openssl'] as const) {
    const signal = await sent('signal', which, secret)
    const expected = `sha256=${createHmac('sha256', secret).update(signal.body).digest('hex')}`
    assert.equal(signal.headers['x-service-signature'], expected)
    assert.equal(signal.headers['content-type'], 'application/json')
    assert.equal(typeof JSON.parse(signal.body).text, 'string')
  }
  const event = await sent('code_host', 'openssl', secret)
  const expected = `sha256=${createHmac('sha256', secret).update(event.body).digest('hex')}`
  assert.equal(event.headers['x-hub-signature-256'], expected)
  assert.equal(event.headers['x-github-event'], 'ping')
})
