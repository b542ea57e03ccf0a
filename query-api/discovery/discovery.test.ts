import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import parser from '@apidevtools/swagger-parser'
import { registry } from '../operations/registry.ts'
import { startTestApi, TEST_BASE_URL, type TestApi } from '../testing.ts'

let kit: TestApi
before(async () => {
  kit = await startTestApi()
})
after(() => kit.stop())

/** The fields that the tests look into; everything else is asserted as it is. */
interface Document {
  readonly [field: string]: unknown
  readonly auth: { readonly type: string }
  readonly paths: object
  readonly components: { readonly securitySchemes: Readonly<Record<string, Record<string, unknown>>> }
  readonly 'x-policies': Readonly<Record<string, string>>
}

const get = async (path: string) => {
  const response = await kit.api.fetch(new Request(`${TEST_BASE_URL}${path}`))
  assert.equal(response.status, 200, path)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  return (await response.json()) as Document
}

test('the protected resource metadata names the endpoint, the header and the scopes, and no authorization server', async () => {
  const metadata = await get('/.well-known/oauth-protected-resource')
  assert.equal(metadata.resource, `${TEST_BASE_URL}/api/mcp`)
  assert.deepEqual(metadata.bearer_methods_supported, ['header'])
  assert.deepEqual(metadata.scopes_supported, ['workspace', 'provisioning'])
  assert.ok(!('authorization_servers' in metadata))
  assert.deepEqual(await get('/.well-known/oauth-protected-resource/api/mcp'), metadata)
})

test('the MCP manifest names endpoint, transport and authentication', async () => {
  const manifest = await get('/.well-known/mcp.json')
  assert.deepEqual([manifest.endpoint, manifest.transport], [`${TEST_BASE_URL}/api/mcp`, 'streamable-http'])
  assert.equal(manifest.auth.type, 'bearer')
})

test('the OpenAPI description is valid and has every operation, the webhooks, the scheme and the policies', async () => {
  const description = await get('/api/openapi.json')
  // The parser resolves references in place, so it gets a copy.
  await parser.validate(structuredClone(description) as never)
  assert.equal(description.openapi, '3.1.0')
  const paths = Object.keys(description.paths)
  for (const name of registry.keys()) assert.ok(paths.includes(`/api/app/${name}`), name)
  assert.ok(paths.includes('/api/mcp'))
  for (const receiver of ['custom', 'metric', 'connections', '{code_host}']) {
    assert.ok(paths.includes(`/api/webhooks/${receiver}/{id}`), receiver)
  }
  const { key } = (description.components as { securitySchemes: Record<string, Record<string, unknown>> })
    .securitySchemes
  assert.deepEqual([key?.type, key?.scheme], ['http', 'bearer'])
  assert.deepEqual(Object.keys(key?.['x-scopes'] ?? {}), ['workspace', 'provisioning'])
  for (const policy of ['versioning', 'pagination', 'sandbox', 'batching']) {
    assert.ok(String(description['x-policies'][policy]).length > 80, policy)
  }
})
