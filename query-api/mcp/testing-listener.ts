import { Type } from 'typebox'
import { AssayError } from '../../infra/runtime/errors.ts'
import { readOperation } from '../operations/define.ts'
import { registryOf } from '../operations/registry.ts'
import { type Prompt, said } from '../prompts/index.ts'
import type { Resource } from '../resources/index.ts'
import { serveForTests, startTestApi, TEST_SETTINGS } from '../testing.ts'
import { exampleOperations, exampleTools, listNodes } from './example-tools.ts'

/** The endpoint on a port of this machine, for client programs. */
export interface TestListener {
  readonly url: string
  readonly key: string
  /** For a client that cannot send a header: every primitive is listed, and each request acts as the key. */
  readonly urlWithKey: string
  stop(): Promise<void>
}

const usual = { units: 1, role: 'viewer', audience: 'everyone', output: Type.Object({}) } as const

/** A tool that answers an empty object. */
const answering = (name: string, input = Type.Object({})) =>
  readOperation({ ...usual, name, title: name, summary: 'Answers.', input, run: async () => ({ data: {} }) })

/** Tools that the conformance suite calls by these names. */
const ofTheSuite = [
  answering('test_simple_text'),
  answering('test_logging_tool'),
  answering('test_streaming_elicitation'),
  readOperation({
    ...usual,
    name: 'test_error_handling',
    title: 'Error',
    summary: 'Fails.',
    input: Type.Object({}),
    run: () => Promise.reject(new AssayError('conflict', 'This tool always fails. Call another.')),
  }),
  answering(
    'json_schema_2020_12_tool',
    Type.Object(
      { name: Type.Optional(Type.String()), address: Type.Optional(Type.Unsafe({ $ref: '#/$defs/address' })) },
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $defs: {
          address: {
            $anchor: 'address',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        additionalProperties: false,
        allOf: [{ anyOf: [{ required: ['name'] }, {}] }],
        if: { required: ['name'] },
        // biome-ignore lint/suspicious/noThenProperty: The keyword of JSON Schema.
        then: { properties: { name: { minLength: 1 } } },
        else: {},
      },
    ),
  ),
]

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

const promptOf = (name: string, names: readonly string[], messages: Prompt['messages']): Prompt => ({
  name,
  title: name,
  description: 'A prompt that the conformance suite gets.',
  arguments: names.map(argument => ({ name: argument, description: argument, required: true, completion: ['test'] })),
  messages,
})

const promptsOfTheSuite: readonly Prompt[] = [
  promptOf('test_simple_prompt', [], () => said('This is a simple prompt for testing.')),
  promptOf('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) => said(`arg1='${arg1}', arg2='${arg2}'`)),
  promptOf('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri = '' }) => [
    { role: 'user', content: { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'x' } } },
  ]),
  promptOf('test_prompt_with_image', [], () => [
    { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
  ]),
]

const resourceOf = (uri: string, mimeType: string, read: Resource['read']): Resource => ({
  uri,
  name: uri,
  title: uri,
  description: 'A resource that the conformance suite reads.',
  mimeType,
  read,
})

const resourcesOfTheSuite: readonly Resource[] = [
  resourceOf('test://static-text', 'text/plain', async () => ({ text: 'This is the content of the resource.' })),
  resourceOf('test://static-binary', 'image/png', async () => ({ blob: PNG })),
  resourceOf('test://template/{id}/data', 'application/json', async (id, ask) => {
    // Read with the key, like the product's resources.
    const { data } = await ask(listNodes, { limit: 1 })
    return { text: JSON.stringify({ id, data }) }
  }),
]

export const startListener = async (): Promise<TestListener> => {
  let answer: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 })
  let key = ''
  const open = await serveForTests(request => answer(request))
  const keyed = await serveForTests(request => {
    request.headers.set('authorization', `Bearer ${key}`)
    return answer(request)
  })
  const kit = await startTestApi({
    operations: registryOf([...exampleOperations.values(), ...ofTheSuite]),
    tools: exampleTools,
    prompts: promptsOfTheSuite,
    resources: resourcesOfTheSuite,
    settings: { ...TEST_SETTINGS, baseUrl: keyed.origin },
  })
  const person = await kit.signUp()
  key = (await person.data<{ key: string }>('create_key', { label: 'Listener' })).key
  answer = request => kit.api.fetch(request)
  return {
    url: `${open.origin}/api/mcp`,
    key,
    urlWithKey: `${keyed.origin}/api/mcp?surface=full`,
    stop: async () => {
      open.stop()
      keyed.stop()
      await kit.stop()
    },
  }
}
