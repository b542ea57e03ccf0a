import { sha256 } from '../../runtime/secrets.ts'
import builtIn from '../known/built-in.json' with { type: 'json' }
import model from './model.json' with { type: 'json' }

/**
 * What the vectors of some texts hash to, which the code decides that reads the files. A test computes it anew, and
 * says what to write here after a change that gives texts other vectors.
 */
export const VECTORS = 'e60c104db7619e6d'

/** All that decides a vector: the files and how they are read, the mean that is taken off, and what the code makes. */
interface Decisive {
  readonly files: Readonly<Record<string, string>>
  readonly layers: readonly { readonly name: string; readonly shape: readonly number[] }[]
  readonly mean: readonly number[]
  readonly vectors: string
}

export const nameOf = ({ files, layers, mean, vectors }: Decisive): string => {
  const sorted = Object.entries(files).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `built-in/meaning-${sha256(JSON.stringify([sorted, layers, mean, vectors]))
    .toString('hex')
    .slice(0, 8)}`
}

/** An embedder that gives texts other vectors has another name: vectors of two are never compared. */
export const BUILT_IN_MODEL = nameOf({ ...model, ...builtIn, vectors: VECTORS })
