/**
 * MurmurHash2 (32 bit, seed 0x9747b28c) as a signed integer, the way Kafka's clients compute it
 * (`org.apache.kafka.common.utils.Utils.murmur2`), so that both logs put a key into the same partition.
 */
export const murmur2 = (data: Uint8Array): number => {
  const multiplier = 0x5bd1e995
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const wholeWords = data.byteLength - (data.byteLength % 4)
  let hash = 0x9747b28c ^ data.byteLength
  for (let at = 0; at < wholeWords; at += 4) {
    let word = Math.imul(view.getInt32(at, true), multiplier)
    word = Math.imul(word ^ (word >>> 24), multiplier)
    hash = Math.imul(hash, multiplier) ^ word
  }
  if (wholeWords < data.byteLength) {
    for (let at = data.byteLength - 1; at >= wholeWords; at--) hash ^= view.getUint8(at) << (8 * (at - wholeWords))
    hash = Math.imul(hash, multiplier)
  }
  hash = Math.imul(hash ^ (hash >>> 13), multiplier)
  return hash ^ (hash >>> 15)
}

const encoder = new TextEncoder()

/** The partition that a key has for good, from 0, as Kafka's default partitioner chooses it. */
export const partitionOfKey = (key: string, partitions: number): number =>
  (murmur2(encoder.encode(key)) & 0x7fffffff) % partitions
