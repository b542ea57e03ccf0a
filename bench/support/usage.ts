import { AssayError, codeOf, isAssayError } from '../../infra/runtime/errors.ts'
import { nearest } from '../../infra/runtime/mistyped.ts'

/** What was asked for wrongly, as a sentence; null for what failed, which whoever mends it is to see whole. */
export const usageProblem = (error: unknown): string | null => {
  if (isAssayError(error) && error.code === 'invalid_configuration') return error.publicMessage
  return error instanceof Error && String(codeOf(error)).startsWith('ERR_PARSE_ARGS') ? error.message : null
}

/**
 * Runs the parts of a benchmark that are named, or all of them one after the other. Rejects with
 * `invalid_configuration` for a name that is none, before any is run.
 */
export const runParts = async (
  benchmark: string,
  parts: Readonly<Record<string, () => Promise<void>>>,
  named: readonly string[],
): Promise<void> => {
  const wrong = named.find(name => !Object.hasOwn(parts, name))
  if (wrong !== undefined) throw noSuch(`The benchmark ${benchmark} has no part "${wrong}".`, wrong, parts)
  for (const name of named.length === 0 ? Object.keys(parts) : named) {
    console.log(`\n== ${name}`)
    await parts[name]?.()
  }
}

/** The refusal of a name that is none, with those that there are. */
export const noSuch = (problem: string, name: string, known: Readonly<Record<string, unknown>>): AssayError => {
  const meant = nearest(name, Object.keys(known))
  const question = meant === null ? '' : ` Did you mean ${meant}?`
  return new AssayError('invalid_configuration', `${problem}${question} Choose from: ${Object.keys(known).join(', ')}.`)
}
