import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { startTestApi, TEST_BASE_URL, type TestApi } from '../testing.ts'
import { loadWebApp } from './pages.ts'

let kit: TestApi
before(async () => {
  kit = await startTestApi()
})
after(() => kit.stop())

/** As a browser that was signed in asks, unless told. */
const get = (path: string, headers: Record<string, string> = {}) =>
  kit.api.fetch(
    new Request(`${TEST_BASE_URL}${path}`, { headers: { cookie: 'better-auth.session_token=any', ...headers } }),
  )

test('every address of the app answers its one page, under a policy that runs no inline script', async () => {
  const inWorkspace = '/shop-018f3a2b/app/claims/CLM-2'
  for (const path of ['/sign-in', '/sign-up', '/app', '/app/no-such-screen', '/app/triage/', inWorkspace]) {
    const page = await get(path)
    assert.equal(page.status, 200, path)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self'(;|$)/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
    assert.doesNotMatch(await page.text(), /<script(?![^>]*\bsrc=)|\son\w+=|style=/i)
  }
  assert.equal((await get('/apples')).status, 404)
  assert.match((await get('/apples')).headers.get('content-type') ?? '', /problem\+json/)
  assert.equal((await get('/')).headers.get('location'), '/app')
})

test('an address outside of the app is a page for a browser, and a problem for a program', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  for (const path of ['/apples', '/claims/CLM-2', '/shop-018f3a2b', '/APP/claims']) {
    const page = await get(path, { accept })
    assert.equal(page.status, 404, path)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/)
  }
  for (const path of ['/api/apples', '/assets/apples.js', '/api/webhooks/custom/1']) {
    assert.match((await get(path, { accept })).headers.get('content-type') ?? '', /problem\+json/, path)
  }
})

test('who shows no session is sent to sign in, and back to where they were; an invitation is seen without', async () => {
  const cases = {
    '/app': '/sign-in',
    '/app/': `/sign-in?back=${encodeURIComponent('/app/')}`,
    '/app/claims/CLM-2?show=a%20b': `/sign-in?back=${encodeURIComponent('/app/claims/CLM-2?show=a%20b')}`,
    '/app/invitations': `/sign-in?back=${encodeURIComponent('/app/invitations')}`,
    '/shop-018f3a2b/app/claims': `/sign-in?back=${encodeURIComponent('/shop-018f3a2b/app/claims')}`,
    '/app/invitation': null,
    '/sign-up': null,
  }
  for (const [path, leadsTo] of Object.entries(cases)) {
    const page = await get(path, { cookie: 'theme=dark' })
    assert.equal(page.status, leadsTo === null ? 200 : 302, path)
    assert.equal(page.headers.get('location'), leadsTo)
    assert.equal(page.headers.get('cache-control'), 'no-store')
  }
  assert.equal((await get('/app', { cookie: '__Secure-better-auth.session_token=any' })).status, 200)
})

test('style elements get through with the nonce of their own response alone', async () => {
  const nonces = await Promise.all(
    ['/app', '/app'].map(async path => {
      const page = await get(path)
      const [, ofPolicy] =
        /style-src 'self' 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '') ?? []
      const [, ofPage] = /<meta property="csp-nonce" nonce="([^"]+)"/.exec(await page.text()) ?? []
      assert.equal(ofPage, ofPolicy)
      return ofPage
    }),
  )
  assert.notEqual(nonces[0], undefined)
  assert.notEqual(nonces[0], nonces[1])
})

test('the app’s files are kept for ever and sent as small as the browser takes them', async () => {
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/app')).text()) ?? []
  const plain = await get(script)
  assert.equal(plain.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(plain.headers.get('vary'), 'accept-encoding')
  const source = await plain.text()
  const cases = {
    'gzip, deflate, br': 'br',
    gzip: 'gzip',
    'br;q=0, gzip;q=0.5': 'gzip',
    'br;q=0.0': null,
    'x-br, identity': null,
    '': null,
  }
  for (const [accepted, encoding] of Object.entries(cases)) {
    const answer = await get(script, { 'accept-encoding': accepted })
    assert.equal(answer.headers.get('content-encoding'), encoding, accepted)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const decoded = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
    assert.equal(new TextDecoder().decode(decoded), source, accepted)
  }
  assert.equal((await get(`${script}.br`)).status, 404)
})

test('a file that has not changed is not sent again', async () => {
  const file = await get('/static/icon.svg')
  assert.deepEqual([file.status, file.headers.get('cache-control')], [200, 'no-cache'])
  const again = await get('/static/icon.svg', { 'if-none-match': file.headers.get('etag') ?? '' })
  assert.equal(again.status, 304)
  assert.equal(await again.text(), '')
})

test('a start without the built app says what to run', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'assay-web-'))
  try {
    await assert.rejects(
      loadWebApp(pathToFileURL(`${empty}/`)),
      (error: unknown) =>
        isAssayError(error) && error.code === 'invalid_configuration' && /npm run build/.test(error.publicMessage),
    )
  } finally {
    await rm(empty, { recursive: true })
  }
})

test('no path leads out of the folder of pages', async () => {
  for (const path of [
    '/../package.json',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/%2e%2e%5c%2e%2e%5cmain.ts',
    '/assets//etc/passwd',
    '/main.ts',
    '/index.html',
    '/src/main.tsx',
    '/.vite/manifest.json',
    '/sign-in.html%00',
    '/%',
  ]) {
    const response = await get(path)
    assert.equal(response.status, 404, path)
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
  }
})

test('an unknown operation and a wrong method of the app’s door say what to do', async () => {
  const person = await kit.signUp()
  const unknown = await person.call('no_such_operation')
  assert.equal(unknown.status, 404)
  assert.match(await unknown.text(), /openapi\.json lists them/)
  const wrong = await get('/api/app/list_keys')
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'POST'])
})

test('malformed bodies of the app’s door are refused with what is wrong', async () => {
  const person = await kit.signUp()
  const post = (body: string) =>
    kit.api.fetch(
      new Request(`${TEST_BASE_URL}/api/app/create_key`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', cookie: person.cookie },
      }),
    )
  for (const body of ['{', '[]', 'null', '"x"']) assert.equal((await post(body)).status, 400, body)
  const response = await post('{"labell":"x"}')
  const { violations, code } = (await response.json()) as { violations: { pointer: string }[]; code: string }
  assert.deepEqual([response.status, code], [422, 'invalid_input'])
  assert.deepEqual(violations.map(({ pointer }) => pointer).sort(), ['/label', '/labell'])
  assert.equal((await post(`{"label":"${'x'.repeat(5 * 1024 * 1024)}"}`)).status, 413)
  assert.equal((await post('{"label":"x"}')).status, 200)
})

test('a long answer of an operation is compressed for who takes that, a short one is not', async () => {
  const person = await kit.signUp()
  const ask = (encoding: string) =>
    kit.api.fetch(
      new Request(`${TEST_BASE_URL}/api/app/list_keys`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', cookie: person.cookie, 'accept-encoding': encoding },
      }),
    )
  assert.equal((await ask('gzip')).headers.get('content-encoding'), null)
  for (let made = 0; made < 30; made += 1) await person.call('create_key', { label: `${made} `.padEnd(100, 'x') })
  const answers = await Promise.all(['identity', 'gzip, br'].map(ask))
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('content-encoding')),
    [null, 'gzip'],
  )
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('vary')),
    ['accept-encoding', 'accept-encoding'],
  )
  const [plain = Buffer.alloc(0), compressed = Buffer.alloc(0)] = await Promise.all(
    answers.map(async answer => Buffer.from(await answer.arrayBuffer())),
  )
  assert.ok(compressed.byteLength < plain.byteLength / 2)
  const itemsOf = (bytes: Buffer): unknown => (JSON.parse(bytes.toString()) as { data: unknown }).data
  assert.deepEqual(itemsOf(gunzipSync(compressed)), itemsOf(plain))
})
