import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'

// TypeBox stops collecting at 8 errors; a body with ten wrong fields should be told of all ten. Still bounded, for huge bodies.
Settings.Set({ maxErrors: 100 })

/** What is wrong at one place of a body: a JSON pointer (RFC 6901) and what is allowed there. */
interface BodyViolation {
  readonly pointer: string
  readonly message: string
}

/** A validator's errors in a sender's words, one for each place, without anything of what was sent. */
export const violationsOf = (errors: readonly TLocalizedValidationError[]): BodyViolation[] => {
  const found = new Map<string, string>()
  for (const error of errors) {
    for (const { pointer, message } of inWords(error)) if (!found.has(pointer)) found.set(pointer, message)
  }
  return [...found].map(([pointer, message]) => ({ pointer, message }))
}

const inWords = (error: TLocalizedValidationError): BodyViolation[] => {
  const pointer = error.instancePath
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map(name => ({
        pointer: `${pointer}/${pointerToken(name)}`,
        message: 'is required',
      }))
    case 'enum':
      return [{ pointer, message: `must be one of ${error.params.allowedValues.join(', ')}` }]
    case 'maxLength':
      return [{ pointer, message: `must have at most ${error.params.limit} characters (Unicode code points)` }]
    case 'minLength':
      return [
        {
          pointer,
          message: `must have at least ${error.params.limit} character${error.params.limit === 1 ? '' : 's'}`,
        },
      ]
    case 'pattern':
      return [{ pointer, message: error.params.pattern.toString() === '\\S' ? 'must not be blank' : error.message }]
    default:
      return [{ pointer, message: error.message }]
  }
}

/** A name as it stands in a JSON pointer (RFC 6901). */
export const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
