import type { Operation } from '../operations/define.ts'
import type { Tool } from '../tools/define-tool.ts'
import { openApi } from './openapi.ts'

/** Documents that describe the service, by their paths. */
export type Discovery = Readonly<Record<string, object>>

interface Facts {
  readonly baseUrl: string
  readonly version: string
  readonly tools: readonly Tool[]
  readonly operations: Iterable<Operation>
}

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Scopes of a key; only operators issue `provisioning`. */
const SCOPES = ['workspace', 'provisioning']

export const createDiscovery = ({ baseUrl, version, tools, operations }: Facts): Discovery => {
  const endpoint = `${baseUrl}/api/mcp`
  // RFC 9728. Without `authorization_servers`: people make keys in the app, and the keys work at once.
  const resource = {
    resource: endpoint,
    resource_name: 'Assay',
    bearer_methods_supported: ['header'],
    scopes_supported: SCOPES,
  }
  return {
    [RESOURCE_METADATA_PATH]: resource,
    // Place of the metadata for a resource with a path (RFC 9728, 3.1).
    [`${RESOURCE_METADATA_PATH}/api/mcp`]: resource,
    '/.well-known/mcp.json': {
      name: 'assay',
      title: 'Assay',
      version,
      endpoint,
      transport: 'streamable-http',
      auth: { type: 'bearer', header: 'Authorization', resource_metadata: `${baseUrl}${RESOURCE_METADATA_PATH}` },
      tools: tools.map(({ name, title }) => ({ name, title })),
    },
    '/api/openapi.json': openApi({ baseUrl, version, tools, operations: [...operations] }),
  }
}
