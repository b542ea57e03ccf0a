import { t } from '../language/messages.ts'
import { Problem, problemOf } from './problem.ts'

interface Options {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** Posts JSON and answers the response’s JSON, which the caller knows the shape of. Rejects with a Problem. */
export const post = async <Answer>(path: string, body: object, { headers, signal }: Options = {}): Promise<Answer> => {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  }).catch(unreachable)
  if (!response.ok) throw await problemOf(response)
  return response.json()
}

const unreachable = (error: unknown): never => {
  if (error instanceof DOMException && error.name === 'AbortError') throw error
  throw new Problem({ code: 'unreachable', detail: t('The service cannot be reached. Check your connection to it.') })
}
