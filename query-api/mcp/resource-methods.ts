import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import { AssayError, asAssayError } from '../../infra/runtime/errors.ts'
import type { Ask } from '../prompts/ask.ts'
import { addressOf, idIn, isTemplate, type Resource } from '../resources/define-resource.ts'
import { type Params, WrittenResult } from './messages.ts'

/**
 * `resources/list`, `/templates/list` and `/read`. What is the same for everybody needs no key; what a workspace holds is listed and
 * read with one. There are no subscriptions: an answer is one JSON document, and nothing is sent after it.
 */
export const createResourceMethods = (resources: readonly Resource[]) => {
  const templates = new WrittenResult({
    resourceTemplates: resources.filter(isTemplate).map(resource => ({
      uriTemplate: resource.uri,
      ...describe(resource),
    })),
  } satisfies ListResourceTemplatesResult)
  const fixed = resources.filter(resource => !isTemplate(resource)).map(of => ({ uri: of.uri, ...describe(of) }))
  return {
    templates: () => templates,
    list: async (ask: Ask): Promise<ListResourcesResult> => ({
      resources: [...fixed, ...(await Promise.all(resources.map(resource => listed(resource, ask)))).flat()],
    }),
    read: async ({ uri }: Params, ask: Ask): Promise<ReadResourceResult> => {
      const { resource, id } = resourceAt(resources, uri)
      return { contents: [{ uri: String(uri), mimeType: resource.mimeType, ...(await resource.read(id, ask)) }] }
    },
  }
}

const describe = ({ name, title, description, mimeType }: Resource) => ({ name, title, description, mimeType })

const listed = async (resource: Resource, ask: Ask): Promise<ListResourcesResult['resources']> => {
  try {
    const found = (await resource.listed?.(ask)) ?? []
    return found.map(({ id, title }) => ({ ...describe(resource), uri: addressOf(resource, id), name: id, title }))
  } catch (thrown) {
    if (asAssayError(thrown).code === 'unauthorized') return []
    throw thrown
  }
}

const resourceAt = (resources: readonly Resource[], uri: unknown) => {
  for (const resource of typeof uri === 'string' ? resources : []) {
    const id = idIn(resource, String(uri))
    if (id !== null) return { resource, id }
  }
  const known = resources.map(each => each.uri).join(', ')
  throw new AssayError('invalid_input', `There is no such resource. "uri" must be one of ${known}.`)
}
