import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../../infra/runtime/secrets.ts'
import { OFFERS } from '../../../model/sources/kinds/index.ts'
import { newId, type SourceId } from '../../../schemas/domain/ids.ts'
import { CODE_HOSTS, SOURCE_KINDS, type SourceKind } from '../../../schemas/domain/vocabulary.ts'
import { refusal } from '../decisions/testing.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const connect = (mode: string, input: object = {}) => workspace.call('service_connect', mode, input)

const mapping = { text: '/data/ticket/body', actor_name: '/data/ticket/from' }
const body = (ticket: object) => ({ type: 'ticket.created', timestamp: '2026-05-01T10:00:00Z', data: { ticket } })
const good = body({ body: 'The export hangs.', from: 'Ada' })

const source = async (kind: SourceKind, name: string): Promise<SourceId> => {
  const id = newId<SourceId>()
  await kit.database.pool.query(
    `insert into sources (id, workspace_id, kind, name, sealed_secret) values ($1, $2, $3, $4, 'sealed')`,
    [id, workspace.id, kind, name],
  )
  return id
}

const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7))
const rowOf = async (id: string) => (await kit.database.pool.query('select * from sources where id = $1', [id])).rows[0]

test('a connection is created with a mapping that its example passes; without that, nothing is created', async () => {
  const { data } = await connect('create', { name: 'Desk', settings: { mapping }, example: good })
  assert.deepEqual(data.mapping_preview, {
    accepted: true,
    fields: [
      { field: 'text', pointer: '/data/ticket/body', value: '"The export hangs."' },
      { field: 'source', pointer: null, value: '"Desk"' },
      { field: 'occurred_at', pointer: null, value: '"2026-05-01T10:00:00Z"' },
      { field: 'actor_name', pointer: '/data/ticket/from', value: '"Ada"' },
      { field: 'event', pointer: null, value: '"ticket.created"' },
    ],
    absent: [],
    violations: [],
  })
  const refused = await refusal(connect('create', { name: 'Other', settings: { mapping }, example: body({ body: 7 }) }))
  assert.equal(refused.code, 'invalid_input')
  assert.deepEqual(
    refused.violations.map(({ pointer }) => pointer),
    ['/data/ticket/body'],
  )
  assert.equal((await connect('list')).data.count, 1)
})

test('an example that leads to what objects inherit, is too large or of another shape, is a refusal and no crash', async () => {
  const { data: created } = await connect('create', { name: 'Desk' })
  const dry = async (settings: object, example: object) =>
    (await connect('update', { id: created.id, settings, example, dry_run: true })).data.mapping_preview
  const hostile = JSON.parse('{"__proto__":{"text":"x"},"type":"t","timestamp":1,"data":{}}')
  const inherited = { mapping: { text: '/data/constructor/name' } }
  for (const [settings, example] of [
    [inherited, good],
    [{ mapping: { text: '/__proto__/polluted' } }, hostile],
    [{}, {}],
    [{}, body({})],
  ] as const) {
    const trial = await dry(settings, example)
    assert.equal(trial.accepted, false, JSON.stringify(settings))
    assert.ok(trial.violations.length > 0)
  }
  const own = await dry({ mapping }, { data: { ticket: { body: 'x', from: null } } })
  assert.deepEqual([own.accepted, own.absent], [true, [{ field: 'actor_name', pointer: '/data/ticket/from' }]])
  const long = await dry({ mapping: { text: '/data/t' } }, { ...good, data: { t: 'x'.repeat(50_000) } })
  assert.deepEqual([long.accepted, long.fields[0].value.length], [true, 200])
  assert.equal((await rowOf(created.id)).version, 1)
})

test('a source is renamed, mapped anew, paused and resumed, and a stale version is refused with what it is', async () => {
  const { data: created } = await connect('create', { name: 'Desk' })
  const { data: dry } = await connect('update', {
    id: 'desk',
    name: 'Help desk',
    paused: true,
    dry_run: true,
    example: good,
    settings: { mapping },
  })
  assert.deepEqual([dry.is_applied, dry.source.name, dry.mapping_preview.accepted], [false, 'Help desk', true])
  assert.deepEqual([(await rowOf(created.id)).name, (await rowOf(created.id)).paused_at], ['Desk', null])

  const { data: paused } = await connect('update', { id: created.id, settings: { mapping }, paused: true, version: 1 })
  assert.deepEqual(paused.source.settings, { mapping })
  assert.equal(paused.source.version, 2)
  assert.match(paused.effects.join(' '), /503 source_paused/)
  const since = (await rowOf(created.id)).paused_at
  assert.notEqual(since, null)
  await connect('update', { id: created.id, paused: true, name: 'Help desk' })
  assert.deepEqual((await rowOf(created.id)).paused_at, since)

  const stale = await refusal(connect('update', { id: created.id, paused: false, version: 2 }))
  assert.equal(stale.code, 'conflict')
  assert.partialDeepStrictEqual(stale.context, { current: { name: 'Help desk', version: 3 } })
  const { data: tested } = await connect('test', { id: 'Help desk' })
  assert.match(tested.expected_response, /^503 source_paused/)
  const { data: resumed } = await connect('update', { id: 'help desk', paused: false })
  assert.equal(resumed.source.paused_at, null)
  assert.match((await connect('test', { id: created.id })).data.expected_response, /snippet_id/)
})

test('a change tells the edge: changed_at moves with it', async () => {
  const { data: created } = await connect('create', { name: 'Desk' })
  const before = (await rowOf(created.id)).changed_at
  await connect('update', { id: created.id, paused: true })
  assert.ok((await rowOf(created.id)).changed_at > before)
})

test('an agent rotates a connection’s secret, shown once also under an idempotency key, and no other source’s', async () => {
  const { data: created } = await connect('create', { name: 'Desk' })
  const rotate = () =>
    workspace.call('service_connect', 'update', { id: created.id, rotate_secret: true }, 'rotate-once')
  const [first, second] = [await rotate(), await rotate()]
  assert.match(first.data.secret, /^whsec_/)
  assert.notEqual(first.data.secret, created.secret)
  assert.equal(second.data.secret, null)
  assert.equal(second.data.source.id, created.id)
  assert.notEqual(first.data.source.previous_secret_valid_until, null)
  const signal = await source('signal', 'Webhook')
  await assert.rejects(connect('update', { id: signal, rotate_secret: true }), failsWith('forbidden', /by a person/))
  await assert.rejects(
    connect('update', { id: signal, settings: { mapping } }),
    failsWith('invalid_input', /no mapping/),
  )
  const { data } = await connect('update', { id: signal, paused: true })
  assert.notEqual(data.source.paused_at, null)
})

test('a change of nothing, a rotation on trial, and names that fit none or several are refused', async () => {
  await connect('create', { name: 'Desk' })
  for (const [input, code, message] of [
    [{ id: 'Desk' }, 'invalid_input', /Nothing would change/],
    [{ id: 'Desk', example: good }, 'invalid_input', /Nothing would change/],
    [{ id: 'Desk', rotate_secret: true, dry_run: true }, 'invalid_input', /leave dry_run out/],
    [{ id: 'Desks', paused: true }, 'not_found', /service_connect mode list/],
    [{ id: 'Desk', settings: { mapping: { text: 'data' } } }, 'invalid_input', /mapping/],
  ] as const) {
    await assert.rejects(connect('update', input), failsWith(code, message), JSON.stringify(input))
  }
  await connect('create', { name: 'desk' })
  await assert.rejects(connect('update', { id: 'Desk', paused: true }), failsWith('ambiguous'))
})

test('find says how something is connected, by whom, and what is there already', async () => {
  const kinds = async (query?: string) => {
    const { data } = await connect('find', query === undefined ? {} : { query })
    return data.items.map((way: { kind: string; code_host: string | null }) => way.code_host ?? way.kind)
  }
  const all = OFFERS.map(({ kind, code_host }) => code_host ?? kind)
  assert.deepEqual(
    [...new Set(all)].sort(),
    [...SOURCE_KINDS.filter(kind => kind !== 'code_host'), ...CODE_HOSTS].sort(),
  )
  assert.deepEqual(await kinds(), all)
  assert.deepEqual(await kinds('GitHub'), ['github'])
  assert.equal((await kinds('our zendesk tickets'))[0], 'connection')
  assert.equal((await kinds('forwarded e-mail'))[0], 'email')
  assert.equal((await kinds('metrics from prometheus'))[0], 'metric')
  const { data: unknown } = await connect('find', { query: 'quux' })
  assert.deepEqual([unknown.has_match, unknown.count], [false, all.length])
  assert.match(unknown.message, /Standard Webhooks/)

  const id = await source('signal', 'Webhook')
  const { data } = await connect('find', { query: 'feedback hmac' })
  assert.deepEqual(data.items[0].existing_sources, [{ id, name: 'Webhook', paused: false }])
  assert.equal(data.items[0].existing_source_count, 1)
  assert.match(data.items[0].steps[0], /Use the one that is there/)
  assert.ok(countTokens(JSON.stringify(await connect('find'))) < 2000)
})

test('a hundred sources are listed within the budget, page by page', async () => {
  for (let index = 0; index < 100; index += 1) await source('connection', `Connection ${index} ${'x'.repeat(90)}`)
  const { data: found } = await connect('find', { query: 'zendesk' })
  assert.deepEqual([found.items[0].existing_sources.length, found.items[0].existing_source_count], [5, 100])
  const seen = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const page = await connect('list', { limit: 100, ...(cursor === undefined ? {} : { cursor }) })
    assert.ok(countTokens(JSON.stringify(page)) <= 10_000)
    for (const item of page.data.items) seen.add(item.id)
    cursor = page.meta.next_cursor ?? undefined
    if (cursor === undefined) break
  }
  assert.equal(seen.size, 100)
})

test('a secret that the vendor has already is stored as ours are and not shown, and what is none is refused', async () => {
  const given = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const { data: created } = await connect('create', { name: 'By Svix', secret: ` ${given} ` })
  assert.equal(created.secret, null)
  assert.ok(!JSON.stringify(created).includes(given))
  const { data: request } = await connect('test', { id: created.id })
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers
  const key = Buffer.from(given.slice('whsec_'.length), 'base64')
  const right = createHmac('sha256', key).update(`${id}.${timestamp}.${request.body}`).digest('base64')
  assert.equal(signature, `v1,${right}`)
  for (const secret of ['whsec_c2hvcnQ=', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', `${given}!`, `whsec_${'A'.repeat(104)}`])
    assert.deepEqual((await refusal(connect('create', { name: 'Other', secret }))).violations[0]?.pointer, '/secret')
  // Svix lets a vendor choose more than the 64 bytes of the specification.
  const long = `whsec_${'A'.repeat(100)}`
  assert.equal((await connect('create', { name: 'Long', secret: long })).data.secret, null)

  // Rotated, it is one of ours, which is shown, and the vendor's own stays valid beside it for a day.
  const signed = async (secret: string) => {
    const { data: sent } = await connect('test', { id: created.id })
    const said = `${sent.headers['webhook-id']}.${sent.headers['webhook-timestamp']}.${sent.body}`
    const own = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(said)
      .digest('base64')
    return sent.headers['webhook-signature'] === `v1,${own}`
  }
  assert.ok(await signed(given))
  const { data: rotated } = await connect('update', { id: created.id, rotate_secret: true })
  assert.match(rotated.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(rotated.secret, given)
  assert.deepEqual([await signed(rotated.secret), await signed(given)], [true, false])
  const row = await rowOf(created.id)
  assert.deepEqual(
    [row.sealed_secret, row.previous_sealed_secret].map(sealed => sealer.unseal(sealed)),
    [rotated.secret, given],
  )
  assert.ok(row.previous_valid_until > new Date())
})
