import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { newId } from '../../schemas/domain/ids.ts'
import type { Source } from '../registry/source.ts'
import { ENDPOINT_RECEIVERS } from './index.ts'
import { createBodyWorker } from './large-bodies.ts'

const worker = createBodyWorker({ warn: () => assert.fail('the thread could not answer') })
after(() => worker.stop())

const source: Source = {
  id: newId(),
  workspaceId: newId(),
  tenantId: newId(),
  kind: 'code_host',
  codeHost: 'github',
  name: 'A source',
  secrets: [{ value: 'whsec_of-the-source', until: null }],
  secretHashes: [],
  paused: false,
  settings: {},
}

const request = (body: object) => ({
  headers: { 'content-type': 'application/json', 'x-github-event': 'push', 'x-github-delivery': 'one' },
  body: Buffer.from(JSON.stringify(body)),
  source,
  receivedAt: Date.now(),
  traceId: newId(),
})

/** Ids are made anew each time. */
const withoutIds = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(/[0-9a-f-]{36}/g, 'id'))

const message = 'Keep exports whole. '.repeat(100_000)
const push = {
  ref: 'refs/heads/main',
  compare: 'https://code.example.com/compare',
  repository: { full_name: 'team/app', html_url: 'https://code.example.com/team/app' },
  sender: { login: 'committer' },
  commits: [{ id: 'c1', message, timestamp: '2026-01-01T00:00:00Z' }],
}

for (const receiver of ENDPOINT_RECEIVERS) {
  test(`${receiver.path} says of a large body on its thread what it says at once`, async () => {
    const large = request(push)
    const atOnce = withoutIds(receiver.receive(large))
    const apart = worker.receive(receiver, large)
    assert.ok(apart instanceof Promise)
    assert.deepEqual(withoutIds(await apart), atOnce)
  })
}

test('a large body is proven on its thread, and comes back as it was', async () => {
  const receiver = ENDPOINT_RECEIVERS.find(({ name }) => name === 'code_host')
  assert.ok(receiver !== undefined)
  const sent = request(push)
  const [secret] = source.secrets
  const signature = createHmac('sha256', secret?.value ?? '')
    .update(sent.body)
    .digest('hex')
  const copy = Buffer.from(sent.body)
  const signed = { ...sent, headers: { ...sent.headers, 'x-hub-signature-256': `sha256=${signature}` } }
  const proven = await worker.prove(receiver, signed)
  assert.ok(proven.kind === 'complete' && proven.bytes.equals(copy))
  const unsigned = await worker.prove(receiver, request({ ...push, ref: 'refs/heads/other' }))
  assert.ok(unsigned.kind === 'refusal' && unsigned.status === 401)
})

test('a small body is parsed at once', () => {
  const [receiver] = ENDPOINT_RECEIVERS
  assert.ok(receiver !== undefined)
  assert.ok(!(worker.receive(receiver, request({ text: 'It fails.' })) instanceof Promise))
})
