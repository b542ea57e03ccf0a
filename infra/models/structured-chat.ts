import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { AssayError } from '../runtime/errors.ts'
import { type ModelEndpoint, postJson } from './post-json.ts'

const ChatAnswer = Type.Object({
  choices: Type.Array(
    Type.Object({ message: Type.Object({ content: Type.String() }), finish_reason: Type.Optional(Type.Unknown()) }),
    { minItems: 1 },
  ),
})
const chatAnswer = Compile(ChatAnswer)

export interface Prompt<Schema extends TSchema> {
  readonly instructions: string
  /** The answer's shape and its name. */
  readonly name: string
  readonly schema: Schema
}

/**
 * Asks a model behind `/v1/chat/completions` for an answer of one shape. What strangers wrote travels as values of a JSON object, apart
 * from the instructions, so that it cannot end its string. Rejects with `internal` when the answer is cut or has another shape.
 */
export const createStructuredChat = <Schema extends TSchema>({ instructions, name, schema }: Prompt<Schema>) => {
  const compiled = Compile(schema)
  return async (endpoint: ModelEndpoint, data: Readonly<Record<string, unknown>>): Promise<Static<Schema>> => {
    const answer = await postJson(endpoint, 'chat/completions', {
      temperature: 0,
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: JSON.stringify(data) },
      ],
      response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
    })
    const value = contentOf(answer)
    if (!compiled.Check(value)) {
      throw new AssayError('internal', `The model ${endpoint.model} gave no usable ${name}.`)
    }
    return value
  }
}

/** The value that the model wrote; null when there is none. A cut answer is none, even where what is left of it parses. */
const contentOf = (answer: unknown): unknown => {
  if (!chatAnswer.Check(answer)) return null
  const [choice] = answer.choices
  if (choice === undefined || choice.finish_reason === 'length') return null
  try {
    return JSON.parse(choice.message.content)
  } catch {
    return null
  }
}
