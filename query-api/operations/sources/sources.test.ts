import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSealer, INSTALLATION_KEY_BYTES, sha256 } from '../../../infra/runtime/secrets.ts'
import { parseIngestionAddress } from '../../../model/sources/ingestion-address.ts'
import { DESCRIPTIONS, ONE_ONLY_KINDS, POSTED_KINDS, postedPath } from '../../../model/sources/kinds/index.ts'
import { CODE_HOSTS, SOURCE_KINDS, type SourceKind } from '../../../schemas/domain/vocabulary.ts'
import { type Person, startTestApi, TEST_SETTINGS, type TestApi } from '../../testing.ts'

let kit: TestApi
before(async () => {
  kit = await startTestApi()
})
after(() => kit.stop())

interface Created {
  readonly id: string
  readonly url: string | null
  readonly address: string | null
  readonly secret: string | null
  readonly examples: Readonly<Record<string, string>> | null
  readonly setup: readonly string[]
}

/** What a source of each kind is created with. */
const wanted = (kind: SourceKind): object => {
  const { exampleName: name, fields } = DESCRIPTIONS[kind].form
  return {
    kind,
    name,
    ...(fields.includes('code_host') && { code_host: 'forgejo' }),
    ...(fields.includes('mapping') && { settings: { mapping: { text: '/data/answer' } } }),
  }
}

const SECRETS = { hmac: /^[0-9a-f]{64}$/, bearer: /^[0-9a-f]{64}$/, standard_webhooks: /^whsec_[A-Za-z0-9+/]{43}=$/ }

const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7))
const create = (person: Person, kind: SourceKind) => person.data<Created>('create_source', wanted(kind))
const rowOf = async (id: string) => (await kit.database.pool.query('select * from sources where id = $1', [id])).rows[0]
const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail
const itemsOf = async (person: Person) =>
  (await person.data<{ items: Record<string, unknown>[] }>('list_sources')).items

test('each kind is created with the address and the secret that its senders need', async () => {
  const person = await kit.signUp()
  for (const kind of POSTED_KINDS) {
    const { id, url, address, secret, examples, setup } = await create(person, kind)
    const { form, intake } = DESCRIPTIONS[kind]
    const host = form.fields.includes('code_host') ? 'forgejo' : null
    assert.equal(url, `http://assay.test${postedPath(kind, host)}${id}`)
    assert.match(String(secret), SECRETS[intake.proof.scheme])
    assert.equal(address, null)
    assert.ok(setup.length > 0)
    for (const example of Object.values(examples ?? {})) assert.ok(example.includes(id), kind)
  }
  const { id, url, address, secret, examples } = await create(person, 'email')
  assert.deepEqual({ url, secret, examples }, { url: null, secret: null, examples: null })
  assert.equal(parseIngestionAddress(String(address), 'in.assay.test'), id)
  assert.deepEqual((await itemsOf(person)).map(({ kind }) => kind).sort(), [...SOURCE_KINDS].sort())
})

test('a secret that signs is stored sealed, one that is sent along as its hash, and neither is shown again', async () => {
  const person = await kit.signUp()
  const [signal, metric, connection] = [
    await create(person, 'signal'),
    await create(person, 'metric'),
    await create(person, 'connection'),
  ]
  for (const { id, secret } of [signal, connection]) {
    const row = await rowOf(id)
    assert.equal(sealer.unseal(row.sealed_secret), secret)
    assert.equal(row.secret_hash, null)
  }
  const row = await rowOf(metric.id)
  assert.ok(sha256(String(metric.secret)).equals(row.secret_hash))
  assert.equal(row.sealed_secret, null)
  const listed = JSON.stringify(await itemsOf(person))
  for (const { secret } of [signal, metric, connection]) assert.ok(!listed.includes(String(secret)))
})

test('a workspace has one signal webhook, one ingestion address, and any number of the others', async () => {
  const person = await kit.signUp()
  const { id } = await create(person, 'signal')
  await create(person, 'email')
  assert.match(await detailOf(await person.call('create_source', wanted('signal'))), /has its signal webhook already/)
  const second = await person.call('create_source', wanted('email'))
  assert.equal(second.status, 409)
  assert.match(await detailOf(second), /has its ingestion address already.*replace_ingestion_address/)
  for (const kind of ['metric', 'code_host', 'connection'] as const) {
    await create(person, kind)
    await create(person, kind)
  }
  await person.data('delete_source', { id })
  await create(person, 'signal')
})

test('what does not fit a kind is refused by the field’s name, with what is allowed', async () => {
  const person = await kit.signUp()
  const refusal = async (input: object) => {
    const response = await person.call('create_source', input)
    assert.equal(response.ok, false)
    return detailOf(response)
  }
  assert.match(
    await refusal({ kind: 'fax', name: 'x' }),
    /\/kind must be one of signal, metric, code_host, email, conn/,
  )
  assert.match(await refusal({ kind: 'code_host', name: 'x' }), /needs code_host: github, gitea, forgejo/)
  assert.match(await refusal({ ...wanted('signal'), code_host: 'github' }), /kind signal has no code_host/)
  for (const kind of SOURCE_KINDS.filter(each => !DESCRIPTIONS[each].form.fields.includes('mapping'))) {
    assert.match(await refusal({ ...wanted(kind), settings: {} }), new RegExp(`kind ${kind} has no settings`))
  }
  assert.match(await refusal({ kind: 'signal', name: '  ' }), /\/name must not be blank/)
  assert.match(await refusal({ ...wanted('signal'), secret: 'mine' }), /kind signal has no secret/)
  assert.match(await refusal({ ...wanted('connection'), secret: 'mine' }), /must be whsec_/)
  const mapping = (mapped: object) => refusal({ kind: 'connection', name: 'x', settings: { mapping: mapped } })
  assert.match(await mapping({}), /\/settings\/mapping\/text is required/)
  assert.match(await mapping({ text: 'data.text' }), /\/settings\/mapping\/text/)
  assert.match(await mapping({ text: '/data/text', colour: '/data/colour' }), /mapping\/colour is not a field/)
  assert.deepEqual(await itemsOf(person), [])
})

test('a rotated secret is valid beside the one before it for a day, and a third time ends the first', async () => {
  const person = await kit.signUp()
  for (const kind of POSTED_KINDS) {
    const { id, url, secret: first } = await create(person, kind)
    const rotated = await person.data<Created & { previous_secret_valid_until: string }>('rotate_source_secret', { id })
    assert.equal(rotated.url, url)
    assert.notEqual(rotated.secret, first)
    assert.ok(Object.values(rotated.examples ?? {}).every(example => example.includes(String(rotated.url))))
    const row = await rowOf(id)
    const stored = (sealed: Uint8Array | null, hash: Buffer | null, secret: string | null) =>
      sealed === null ? hash?.equals(sha256(String(secret))) : sealer.unseal(sealed) === secret
    assert.ok(stored(row.sealed_secret, row.secret_hash, rotated.secret))
    assert.ok(stored(row.previous_sealed_secret, row.previous_secret_hash, first))
    assert.equal(row.previous_valid_until.getTime() - row.changed_at.getTime(), 24 * 3_600_000)
    const listed = (await itemsOf(person)).find(item => item.id === id)
    assert.equal(listed?.previous_secret_valid_until, rotated.previous_secret_valid_until)
    await person.data('rotate_source_secret', { id })
    const again = await rowOf(id)
    assert.ok(stored(again.previous_sealed_secret, again.previous_secret_hash, rotated.secret))
  }
})

test('mail has no secret to rotate, and nothing but mail an address to replace', async () => {
  const person = await kit.signUp()
  const [signal, email] = [await create(person, 'signal'), await create(person, 'email')]
  assert.match(await detailOf(await person.call('rotate_source_secret', { id: email.id })), /replace_ingestion_address/)
  assert.match(
    await detailOf(await person.call('replace_ingestion_address', { id: signal.id })),
    /rotate_source_secret/,
  )
  const replaced = await person.data<Created>('replace_ingestion_address', { id: email.id })
  assert.notEqual(replaced.address, email.address)
  assert.notEqual(replaced.id, email.id)
  assert.notEqual((await rowOf(email.id)).deleted_at, null)
  const listed = (await itemsOf(person)).filter(({ kind }) => kind === 'email')
  assert.deepEqual(
    listed.map(({ id, name, address }) => ({ id, name, address })),
    [{ id: replaced.id, name: 'Forwarded mail', address: replaced.address }],
  )
})

test('where no mail is taken an e-mail source cannot be made, and the refusal says what would change that', async () => {
  const api = await startTestApi({
    settings: { ...TEST_SETTINGS, mailDomain: null },
  })
  try {
    const person = await api.signUp()
    const response = await person.call('create_source', wanted('email'))
    assert.equal(response.status, 409)
    assert.match(await detailOf(response), /INGEST_MAIL_DOMAIN/)
    await api.database.pool.query(
      `insert into sources (id, workspace_id, kind, name) select gen_random_uuid(), id, 'email', 'Mail' from workspaces`,
    )
    const { items } = await person.data<{ items: { finding: string; severity: string }[] }>('diagnose_workspace')
    assert.equal(items.find(({ finding }) => finding === 'mail_domain_missing')?.severity, 'broken')
  } finally {
    await api.stop()
  }
})

test('nothing of another workspace’s source can be read, changed or deleted', async () => {
  const [owner, stranger] = [await kit.signUp(), await kit.signUp()]
  const { id } = await create(owner, 'email')
  const operations = [
    'delete_source',
    'rotate_source_secret',
    'replace_ingestion_address',
    'sign_test_request',
    'source_health',
  ]
  for (const operation of operations) {
    const response = await stranger.call(operation, { id })
    assert.equal(response.status, 404, operation)
    assert.match(await detailOf(response), /list_sources lists them|service_connect mode list/)
  }
  assert.equal((await itemsOf(owner)).length, 1)
})

test('a repeated create_source under one idempotency key makes one source and shows its secret once', async () => {
  const person = await kit.signUp()
  const repeated = () => person.call('create_source', wanted('connection'), { 'x-idempotency-key': 'one' })
  const answers = await Promise.all([repeated(), repeated()])
  const data = await Promise.all(answers.map(async answer => ((await answer.json()) as { data: Created }).data))
  assert.equal(data[0]?.id, data[1]?.id)
  assert.equal(data.filter(({ secret }) => secret !== null).length, 1)
  assert.equal(data.filter(({ examples }) => examples !== null).length, 1)
})

test('a test request carries the text where the mapping will look for it, whatever the names on the way are', async () => {
  const person = await kit.signUp()
  const bodyFor = async (text: string): Promise<unknown> => {
    const settings = { mapping: { text } }
    const { id } = await person.data<Created>('create_source', { kind: 'connection', name: 'Mapped', settings })
    return JSON.parse((await person.data<{ body: string }>('sign_test_request', { id })).body)
  }
  const at = (body: unknown, names: readonly string[]): unknown =>
    names.reduce<unknown>((inner, name) => Object.getOwnPropertyDescriptor(inner, name)?.value, body)
  const pointers = { '/data/text': 2, '/data/a~1b~0c/0/': 4, '/data/__proto__/constructor': 3, '/comment': 1 }
  for (const [pointer, depth] of Object.entries(pointers)) {
    const names = pointer
      .split('/')
      .slice(1)
      .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    assert.equal(names.length, depth)
    const body = await bodyFor(pointer)
    assert.match(String(at(body, names)), /^This is a test/, pointer)
    assert.ok(at(body, ['data']) !== undefined && at(body, ['type']) !== undefined)
  }
})

test('an agent connects a source of its own kind only, and sees its secret that once', async () => {
  const person = await kit.signUp()
  const { key } = await person.data<{ key: string }>('create_key', { label: 'Agent' })
  let id = 0
  const call = async (name: string, given: object) => {
    id += 1
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } }
    return (await kit.rpc(message, { authorization: `Bearer ${key}` })).text()
  }
  const created = await call('service_connect', { mode: 'create', name: 'Survey tool' })
  assert.match(created, /whsec_[A-Za-z0-9+/]{43}=/)
  assert.doesNotMatch(await call('service_connect', { mode: 'list' }), /whsec_/)
  for (const name of ['create_source', 'rotate_source_secret', 'delete_source', 'replace_ingestion_address']) {
    const [source] = await itemsOf(person)
    const input = name === 'create_source' ? wanted('signal') : { id: source?.id }
    assert.match(await call(name, input), /"error"|"isError":true/, name)
  }
  assert.equal((await itemsOf(person)).length, 1)
})

test('the table takes the kinds and the code hosts that there are, and one of a kind of those that say so', async () => {
  const definitions = async (statement: string) =>
    (await kit.database.pool.query<{ definition: string }>(statement)).rows.map(({ definition }) => definition)
  const quoted = (text: string) => [...text.matchAll(/'(\w+)'/g)].map(([, word = '']) => word).sort()
  const checks = await definitions(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = 'sources'::regclass and contype = 'c'`,
  )
  const lists = checks.map(quoted).map(words => words.join(' '))
  for (const words of [SOURCE_KINDS, CODE_HOSTS])
    assert.ok(lists.includes([...words].sort().join(' ')), words.join(' '))
  const [index = ''] = await definitions(
    `select indexdef as definition from pg_indexes where indexname = 'sources_one_of_a_kind'`,
  )
  assert.deepEqual(quoted(index), [...ONE_ONLY_KINDS].sort())
})

test('sources are found by words of their names and kinds, with beginnings and a typing error, however many there are', async () => {
  const person = await kit.signUp()
  for (const kind of ['metric', 'code_host', 'connection'] as const) await create(person, kind)
  const { id } = await person.data<Created>('create_source', { ...wanted('connection'), name: 'Élodie’s board' })
  const found = async (text: string, more = {}) =>
    await person.data<{ count: number; items: { id: string; kind: string }[] }>('list_sources', { text, ...more })
  for (const text of ['elodie', 'boar', 'baord elod'])
    assert.deepEqual(
      (await found(text)).items.map(each => each.id),
      [id],
    )
  assert.deepEqual(
    (await found('forgejo')).items.map(({ kind }) => kind),
    ['code_host'],
  )
  const { count, items } = await found('connections', { limit: 1 })
  assert.deepEqual([count, items.length], [2, 1])
  assert.equal((await found('nothing of it')).count, 0)
})
