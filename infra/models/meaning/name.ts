import { sha256 } from '../../runtime/secrets.ts'
import builtIn from '../known/built-in.json' with { type: 'json' }
import model from './model.json' with { type: 'json' }

/**
 * Raised by hand when the code makes other vectors of the same files: another way to cut a text, read a row or fill up
 * a vector. The test of reference vectors shows when.
 */
export const READING = 3

/** Everything that determines a vector: the files, the subtracted mean, and the way of reading. */
interface Decisive {
  readonly files: Readonly<Record<string, string>>
  readonly mean: readonly number[]
  readonly reading: number
}

export const nameOf = ({ files, mean, reading }: Decisive): string => {
  const sorted = Object.entries(files).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `built-in/meaning-${sha256(JSON.stringify([sorted, mean, reading]))
    .toString('hex')
    .slice(0, 8)}`
}

/** Changes with the vectors: vectors of two names are never compared. */
export const BUILT_IN_MODEL = nameOf({ ...model, ...builtIn, reading: READING })
