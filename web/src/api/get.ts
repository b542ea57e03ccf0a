import { problemOf } from './problem.ts'

/** Reads JSON, which the caller knows the shape of. Rejects with a Problem. */
export const get = async <Answer>(path: string): Promise<Answer> => {
  const response = await fetch(path)
  if (!response.ok) throw await problemOf(response)
  return response.json()
}
