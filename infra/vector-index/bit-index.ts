import { Index, MetricKind, ScalarKind } from 'usearch'
import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { type BitIndex, SIGN_WORDS, type SignBits } from './port.ts'
import { createScannedIndex } from './sign-bits.ts'

/**
 * Links of a node, and how many candidates are kept while adding and searching. Measured on clustered vectors with
 * planted neighbours at a cosine of 0.88: 16 links and 32 candidates find 98.5 %, these all of 1,000, for 74 µs an
 * entry and 76 µs a search.
 */
const CONNECTIVITY = 24
const EXPANSION_ADD = 64
const EXPANSION_SEARCH = 96
/**
 * The bits, the links of the lowest layer (twice as many) at 5 bytes each, and what the layers above and the allocator
 * take.
 */
const BYTES_AN_ENTRY = 128 + CONNECTIVITY * 2 * 5 + 100

/**
 * So many at once are worth the threads that share them, one for each core; each takes about as long as starting one.
 */
const ON_ALL_CORES_FROM = 64
const ALL_CORES = 0

/**
 * A graph that is walked towards the nearest (HNSW, Malkov and Yashunin 2016), by usearch: cost grows with the
 * logarithm of its size.
 */
export const createGraphIndex = (): BitIndex => graphOf(createGraph())

/**
 * The graph that `save` wrote: a file that is anything else may end the process. Throws where it has another number of
 * entries.
 */
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

/** From here on walking a graph is quicker than comparing with every entry. */
const GRAPH_FROM = 2_000

/** An index that compares with every entry while there are few, and becomes a graph as it grows. */
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
