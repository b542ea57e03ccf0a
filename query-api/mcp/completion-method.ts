import type { CompleteResult } from '@modelcontextprotocol/sdk/types.js'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Ask, Completion } from '../prompts/ask.ts'
import type { Prompt } from '../prompts/define-prompt.ts'
import type { Resource } from '../resources/define-resource.ts'
import { isObject, type Params } from './messages.ts'
import { promptNamed } from './prompt-methods.ts'

/** The protocol's own bound. */
const MOST_VALUES = 100
const MOST_CHARACTERS = 300

/** `completion/complete`: of a prompt's argument, or of the id of a resource template. Without a completion it answers no values. */
export const createCompletion =
  (prompts: readonly Prompt[], resources: readonly Resource[]) =>
  async ({ ref, argument }: Params, ask: Ask): Promise<CompleteResult> => {
    if (!isObject(ref) || !isObject(argument)) throw wrong()
    const { name, value } = argument
    if (typeof name !== 'string' || typeof value !== 'string' || value.length > MOST_CHARACTERS) throw wrong()
    const found = await valuesOf(completionOf(prompts, resources, ref, name), value, ask)
    const values = [...new Set(found)].slice(0, MOST_VALUES)
    return { completion: { values, total: values.length, hasMore: false } }
  }

const wrong = () =>
  new AssayError(
    'invalid_input',
    `"ref" must be {"type": "ref/prompt", "name"} or {"type": "ref/resource", "uri"}, and "argument" {"name", "value"} of texts, the value at most ${MOST_CHARACTERS} characters.`,
  )

const completionOf = (
  prompts: readonly Prompt[],
  resources: readonly Resource[],
  ref: Params,
  argument: string,
): Completion | undefined => {
  if (ref.type === 'ref/prompt')
    return promptNamed(prompts, ref.name).arguments.find(({ name }) => name === argument)?.completion
  if (ref.type !== 'ref/resource') throw wrong()
  const resource = resources.find(({ uri }) => uri === ref.uri)
  if (resource) return argument === 'id' ? resource.completion : undefined
  const known = resources.map(({ uri }) => uri).join(', ')
  throw new AssayError('invalid_input', `There is no such resource. "ref.uri" must be one of ${known}.`)
}

const valuesOf = async (completion: Completion | undefined, typed: string, ask: Ask): Promise<readonly string[]> => {
  if (completion === undefined) return []
  if (typeof completion === 'function') return completion(typed, ask)
  return completion.filter(word => word.toLowerCase().startsWith(typed.toLowerCase()))
}
