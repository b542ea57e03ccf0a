import type { Operation } from '../operations/define.ts'
import type { Tool } from '../tools/define-tool.ts'
import { openApi } from './openapi.ts'

/** The documents that say how to use the service, by the path that each is served at. */
export type Discovery = Readonly<Record<string, object>>

interface Facts {
  readonly baseUrl: string
  readonly version: string
  readonly tools: readonly Tool[]
  readonly operations: Iterable<Operation>
}

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'

/** What a key can carry; `provisioning` is issued by operators alone. */
const SCOPES = ['workspace', 'provisioning']

export const createDiscovery = ({ baseUrl, version, tools, operations }: Facts): Discovery => {
  const endpoint = `${baseUrl}/api/mcp`
  // RFC 9728. No `authorization_servers`: keys are made by people in the app and work at once.
  const resource = {
    resource: endpoint,
    resource_name: 'Assay',
    bearer_methods_supported: ['header'],
    scopes_supported: SCOPES,
  }
  return {
    [RESOURCE_METADATA_PATH]: resource,
    // Where RFC 9728, section 3.1, puts the metadata of a resource that has a path.
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
