import type { GetPromptResult, ListPromptsResult } from '@modelcontextprotocol/sdk/types.js'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Prompt } from '../prompts/define-prompt.ts'
import { isObject, type Params, WrittenResult } from './messages.ts'

/** Longer than any name, and shorter than what a message should be made of. */
const MOST_CHARACTERS = 300

/** `prompts/list` and `prompts/get`. They hold nothing of a workspace, so they need no key. */
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
    if (typeof value !== 'string' || value.length > MOST_CHARACTERS)
      throw wrong(`"${name}" must be a text of at most ${MOST_CHARACTERS} characters.`)
  }
  // Every value was found to be a text.
  const texts = Object.entries(given).filter(([, text]) => text !== '') as [string, string][]
  const missing = prompt.arguments.find(({ name, required }) => required && !texts.some(([each]) => each === name))
  if (missing) throw wrong(`"${missing.name}" is required.`)
  return Object.fromEntries(texts)
}
