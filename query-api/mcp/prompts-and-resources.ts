import type {
  GetPromptResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import { AssayError, asAssayError } from '../../infra/runtime/errors.ts'
import type { Ask, Prompt } from '../prompts/index.ts'
import { addressOf, idIn, isTemplate, type Resource } from '../resources/index.ts'
import { isObject, type Params, WrittenResult } from './messages.ts'

/** Longer than any name, and short enough for a message. */
const MAX_CHARACTERS = 300

/** `prompts/list` and `prompts/get`. Prompts contain nothing of a workspace, so they need no key. */
export const createPromptMethods = (prompts: readonly Prompt[]) => {
  const list = new WrittenResult({
    prompts: prompts.map(({ name, title, description, arguments: all }) => ({
      name,
      title,
      description,
      arguments: all.map(({ name, description, required = false }) => ({ name, description, required })),
    })),
  } satisfies ListPromptsResult)
  return {
    list: () => list,
    get: (params: Params): GetPromptResult => {
      const prompt = promptNamed(prompts, params.name)
      const messages = prompt.messages(givenTo(prompt, params.arguments ?? {}))
      return { description: prompt.description, messages: [...messages] }
    },
  }
}

export const promptNamed = (prompts: readonly Prompt[], name: unknown): Prompt => {
  const prompt = prompts.find(each => each.name === name)
  if (prompt) return prompt
  const known = prompts.map(each => each.name).join(', ')
  throw new AssayError('invalid_input', `There is no such prompt. "name" must be one of ${known}.`)
}

const givenTo = (prompt: Prompt, given: unknown): Readonly<Record<string, string>> => {
  const allowed = prompt.arguments.map(({ name }) => name)
  const wrong = (why: string) =>
    new AssayError('invalid_input', `${why} ${prompt.name} takes ${allowed.join(', ') || 'no arguments'}.`)
  if (!isObject(given)) throw wrong('"params.arguments" must be an object of texts.')
  for (const [name, value] of Object.entries(given)) {
    if (!allowed.includes(name)) throw wrong(`An argument that was given is not one of this prompt.`)
    if (typeof value !== 'string' || value.length > MAX_CHARACTERS)
      throw wrong(`"${name}" must be a text of at most ${MAX_CHARACTERS} characters.`)
  }
  // Every value has been checked to be a text.
  const texts = Object.entries(given).filter(([, text]) => text !== '') as [string, string][]
  const missing = prompt.arguments.find(({ name, required }) => required && !texts.some(([each]) => each === name))
  if (missing) throw wrong(`"${missing.name}" is required.`)
  return Object.fromEntries(texts)
}

/**
 * `resources/list`, `/templates/list` and `/read`. Resources that are the same for everybody need no key; a workspace's
 * resources do. Subscriptions are not supported: an answer is one JSON document.
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
