import type { ConfigSchema } from './config.ts'
import { nearest } from './nearest.ts'

/** Short names, such as HOST, are near to what other programs read. */
const MIN_LENGTH = 8

/** A sentence for each variable that is no setting and nearly one. What it holds is not repeated. */
export const mistypedSettings = (
  schema: ConfigSchema,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] => {
  const names = Object.values(schema).map(setting => setting.env)
  return Object.keys(env).flatMap(name => {
    const meant = name.length < MIN_LENGTH ? null : nearest(name, names)
    return meant === null || env[meant] ? [] : [`${name} is no setting and is not read. Did you mean ${meant}?`]
  })
}
