import { createGraphIndex } from './graph.ts'
import type { BitIndex } from './port.ts'
import { createScannedIndex } from './scanned.ts'

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
    add: bits => {
      if (scanned !== null && scanned.size >= graphFrom) {
        index = createGraphIndex()
        for (let key = 0; key < scanned.size; key += 1) index.add(scanned.entry(key))
        scanned = null
      }
      index.add(bits)
    },
    nearest: (bits, count) => (index.size === 0 ? [] : index.nearest(bits, count)),
  }
}
