import assert from 'node:assert/strict'
import { describe } from 'node:test'
import parser from '@apidevtools/swagger-parser'
import { holds } from '../holds.ts'
import type { Beginning } from '../world.ts'

interface OpenApi {
  readonly paths: Readonly<Record<string, object>>
  readonly components: { readonly securitySchemes: { readonly key: Readonly<Record<string, unknown>> } }
  readonly 'x-policies': Readonly<Record<string, string>>
}

export const describeDiscovery = ({ world, early }: Beginning): void => {
  describe('The discovery documents', () => {
    const read = <Document>(path: string) =>
      early(async ({ baseUrl }) => {
        const response = await fetch(`${baseUrl}${path}`)
        assert.equal(response.status, 200)
        assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
        // A document of another's shape: each test reads what it asserts on.
        return (await response.json()) as Document
      })
    const resource = read<Readonly<Record<string, unknown>>>('/.well-known/oauth-protected-resource')
    const manifest = read<Readonly<Record<string, unknown>>>('/.well-known/mcp.json')
    const openapi = read<OpenApi>('/api/openapi.json')

    holds('discovery-1', () => assert.equal(resource().resource, `${world().baseUrl}/api/mcp`))
    holds('discovery-2', () => assert.deepEqual(resource().bearer_methods_supported, ['header']))
    holds('discovery-3', () => assert.deepEqual(resource().scopes_supported, ['workspace', 'provisioning']))
    holds('discovery-4', () => assert.ok(!('authorization_servers' in resource())))
    holds('discovery-5', async () => {
      // The parser takes a document of any version; its own type knows 2.0.
      await parser.validate(structuredClone(openapi()) as unknown as Parameters<typeof parser.validate>[0])
      const paths = Object.keys(openapi().paths)
      for (const path of ['/api/mcp', '/api/webhooks/custom/{id}', '/api/webhooks/metric/{id}'])
        assert.ok(paths.includes(path), path)
    })
    holds('discovery-6', () =>
      assert.partialDeepStrictEqual(openapi().components.securitySchemes.key, { type: 'http', scheme: 'bearer' }),
    )
    holds('discovery-7', () => {
      const { 'x-scopes': scopes } = openapi().components.securitySchemes.key
      assert.deepEqual(Object.keys(scopes ?? {}), ['workspace', 'provisioning'])
    })
    holds('discovery-8', () => {
      for (const name of ['versioning', 'pagination', 'sandbox', 'batching'])
        assert.ok(openapi()['x-policies'][name], name)
    })
    holds('discovery-9', () => {
      const { endpoint, transport, auth } = manifest()
      assert.deepEqual([endpoint, transport], [`${world().baseUrl}/api/mcp`, 'streamable-http'])
      assert.partialDeepStrictEqual(auth, { type: 'bearer' })
    })
  })
}
