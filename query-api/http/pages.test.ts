import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApi, TEST_BASE_URL, type TestApi } from '../testing.ts'

let kit: TestApi
before(async () => {
  kit = await startTestApi()
})
after(() => kit.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  kit.api.fetch(new Request(`${TEST_BASE_URL}${path}`, { headers }))

test('pages are served with their type, under a policy that runs no inline script', async () => {
  const page = await get('/sign-in')
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /script-src 'self'(;|$)/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
  assert.doesNotMatch(await page.text(), /<script(?![^>]*\bsrc=)|\son\w+=|style=/i)
  assert.equal((await get('/assets/api.js')).headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal((await get('/app/settings/sources')).status, 200)
})

test('a page that has not changed is not sent again', async () => {
  const etag = (await get('/sign-in')).headers.get('etag') ?? ''
  const again = await get('/sign-in', { 'if-none-match': etag })
  assert.equal(again.status, 304)
  assert.equal(await again.text(), '')
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
