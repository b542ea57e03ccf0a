import { Index, MetricKind, ScalarKind } from 'usearch'
import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { type BitIndex, SIGN_WORDS, type SignBits } from './port.ts'
import { createScannedIndex } from './sign-bits.ts'

/**
 * Links of a node, and candidates kept while adding and searching. Measured on clustered vectors with planted
 * neighbours at a cosine of 0.88: 16 links and 32 candidates find 98.5 %, these values all of 1,000, with 74 µs for an
 * entry and 76 µs for a search.
 */
const CONNECTIVITY = 24
const EXPANSION_ADD = 64
const EXPANSION_SEARCH = 96
/**
 * Bytes of an entry: its bits, the links of the lowest layer (twice as many, 5 bytes each), and an estimate for upper
 * layers and the allocator.
 */
const BYTES_AN_ENTRY = 128 + CONNECTIVITY * 2 * 5 + 100

/**
 * From this number of entries on, threads on all cores pay off: adding an entry takes about as long as starting a
 * thread.
 */
const ON_ALL_CORES_FROM = 64
const ALL_CORES = 0

/**
 * A graph that is walked towards the nearest entries (HNSW, Malkov and Yashunin 2016), by usearch. A search takes time
 * by the logarithm of the size.
 */
export const createGraphIndex = (): BitIndex => graphOf(createGraph())

/** Loads a graph that `save` wrote; any other file may crash the process. Throws when the number of entries differs. */
export const loadGraphIndex = (file: string, size: number): BitIndex => {
  const graph = createGraph()
  graph.load(file)
  if (graph.size() !== size) throw new Error(`The graph has ${graph.size()} entries, not ${size}.`)
  return graphOf(graph)
}

const createGraph = (): Index =>
  new Index({
    metric: MetricKind.Hamming,
    quantization: ScalarKind.B1,
    dimensions: EMBEDDING_DIMENSIONS,
    connectivity: CONNECTIVITY,
    expansion_add: EXPANSION_ADD,
    expansion_search: EXPANSION_SEARCH,
    multi: false,
  })

const graphOf = (graph: Index): BitIndex => {
  let size = graph.size()
  return {
    get size() {
      return size
    },
    get bytes() {
      return size * BYTES_AN_ENTRY
    },
    add: entries => {
      if (entries.length === 0) return
      const keys = BigUint64Array.from(entries, (_, place) => BigInt(size + place))
      const signs = new Int8Array(entries.length * EMBEDDING_DIMENSIONS)
      for (const [place, bits] of entries.entries()) writeSigns(bits, signs, place * EMBEDDING_DIMENSIONS)
      graph.add(keys, signs, entries.length < ON_ALL_CORES_FROM ? 1 : ALL_CORES)
      size += entries.length
    },
    nearest: (bits, count) => {
      const signs = new Int8Array(EMBEDDING_DIMENSIONS)
      writeSigns(bits, signs, 0)
      const { keys, distances } = graph.search(signs, count, 1)
      const found = Array.from(keys, (key, bit) => ({ key: Number(key), distance: distances[bit] ?? 0 }))
      return found.toSorted((one, other) => one.distance - other.distance || one.key - other.key)
    },
    save: file => {
      graph.save(file)
      return true
    },
  }
}

/** usearch takes numbers and keeps their signs. */
const writeSigns = (bits: SignBits, into: Int8Array, at: number): void => {
  for (let word = 0; word < SIGN_WORDS; word += 1) {
    const value = bits[word] ?? 0
    for (let bit = 0; bit < 32; bit += 1) into[at + word * 32 + bit] = (value >>> (31 - bit)) & 1 ? 1 : -1
  }
}

/** Above this size a graph is faster than a comparison with every entry. */
const GRAPH_FROM = 2_000

/**
 * An index with two states: scanned, which compares with every entry, and from `graphFrom` entries on a graph. The
 * change is made in `add`, once, and copies all entries.
 *
 * @example
 * index.add([signBits(vector)])
 * const [nearest] = index.nearest(signBits(query), 10)
 */
export const createBitIndex = (graphFrom = GRAPH_FROM): BitIndex => {
  let scanned: ReturnType<typeof createScannedIndex> | null = createScannedIndex()
  let index: BitIndex = scanned
  return {
    get size() {
      return index.size
    },
    get bytes() {
      return index.bytes
    },
    add: entries => {
      if (scanned !== null && scanned.size + entries.length > graphFrom) {
        const { size, entry } = scanned
        index = createGraphIndex()
        index.add(Array.from({ length: size }, (_, key) => entry(key)))
        scanned = null
      }
      index.add(entries)
    },
    save: file => index.save(file),
    nearest: (bits, count) => (index.size === 0 ? [] : index.nearest(bits, count)),
  }
}
