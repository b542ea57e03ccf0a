import { AssayError } from '../../../infra/runtime/errors.ts'

/** What there is now, for a caller who had read something else. */
interface Current {
  /** Such as `The Outcome of SOL-12`. */
  readonly what: string
  /** 0 while there is none. */
  readonly version: number
  /** The call that reads it. */
  readonly read: string
  readonly context: Readonly<Record<string, unknown>>
}

/**
 * Refuses, with `conflict` and the current state, a write by a caller who has not read the version that there is. What exists is only written over by
 * who names its version.
 */
export const requireVersion = ({ what, version, read, context }: Current, readVersion: number | undefined): void => {
  if ((readVersion ?? 0) === version) return
  const why =
    readVersion === undefined
      ? `${what} exists, at version ${version}: send the version that you read.`
      : version === 0
        ? `${what} does not exist yet: leave version out to begin it.`
        : `${what} has changed: you read version ${readVersion}, it is at ${version}.`
  throw new AssayError('conflict', `${why} Nothing was written. ${read} shows it.`, {
    context: { current: { version, ...context } },
  })
}
