/**
 * MurmurHash2 (32 bits, seed 0x9747b28c) as a signed integer, as Kafka's clients compute it
 * (`org.apache.kafka.common.utils.Utils.murmur2`): both logs put a key into the same partition.
 */
export const murmur2 = (data: Uint8Array): number =>
  murmur2Of(new DataView(data.buffer, data.byteOffset, data.byteLength), data.byteLength)

/** Hashes the view's first `byteLength` bytes. */
const murmur2Of = (view: DataView, byteLength: number): number => {
  const multiplier = 0x5bd1e995
  const wholeWords = byteLength - (byteLength % 4)
  let hash = 0x9747b28c ^ byteLength
  for (let at = 0; at < wholeWords; at += 4) {
    let word = Math.imul(view.getInt32(at, true), multiplier)
    word = Math.imul(word ^ (word >>> 24), multiplier)
    hash = Math.imul(hash, multiplier) ^ word
  }
  if (wholeWords < byteLength) {
    for (let at = byteLength - 1; at >= wholeWords; at--) hash ^= view.getUint8(at) << (8 * (at - wholeWords))
    hash = Math.imul(hash, multiplier)
  }
  hash = Math.imul(hash ^ (hash >>> 13), multiplier)
  return hash ^ (hash >>> 15)
}

/** Buffer for short keys such as ids. Allocating memory for each would take ten times as long as hashing. */
const room = Buffer.alloc(192)
const roomView = new DataView(room.buffer, room.byteOffset, room.byteLength)
const MAX_UTF8_BYTES_A_UNIT = 3

const hashOfKey = (key: string): number =>
  key.length * MAX_UTF8_BYTES_A_UNIT > room.byteLength
    ? murmur2(Buffer.from(key))
    : murmur2Of(roomView, room.write(key))

/** The partition of a key, from 0, as Kafka's default partitioner chooses it. */
export const partitionOfKey = (key: string, partitions: number): number => (hashOfKey(key) & 0x7fffffff) % partitions

interface Reader {
  readonly topics: ReadonlySet<string>
}

/**
 * Assigns partitions to the members of a group. Each partition of a subscribed topic gets one member, loads differ as
 * little as the subscriptions allow, and a partition stays with its member unless a move evens the loads out.
 */
export const assign = <Partition extends { readonly topic: string }, Member extends Reader>(
  partitions: readonly Partition[],
  members: readonly Member[],
  current: ReadonlyMap<Partition, Member>,
): ReadonlyMap<Partition, Member> => {
  const assigned = new Map<Partition, Member>()
  const loads = new Map(members.map(member => [member, 0]))
  const load = (member: Member): number => loads.get(member) ?? 0
  const give = (partition: Partition, member: Member): void => {
    const before = assigned.get(partition)
    if (before !== undefined) loads.set(before, load(before) - 1)
    assigned.set(partition, member)
    loads.set(member, load(member) + 1)
  }
  const leastLoaded = ({ topic }: Partition): Member | undefined =>
    members
      .filter(member => member.topics.has(topic))
      .reduce<Member | undefined>((best, member) => (best && load(best) <= load(member) ? best : member), undefined)

  for (const partition of partitions) {
    const holder = current.get(partition)
    if (holder !== undefined && loads.has(holder) && holder.topics.has(partition.topic)) give(partition, holder)
  }
  for (const partition of partitions) {
    const member = leastLoaded(partition)
    if (!assigned.has(partition) && member !== undefined) give(partition, member)
  }
  // Each move lowers the sum of the squared loads, hence the loop ends.
  for (let moved = true; moved; ) {
    moved = false
    for (const [partition, holder] of assigned) {
      const member = leastLoaded(partition)
      if (member === undefined || load(holder) - load(member) < 2) continue
      give(partition, member)
      moved = true
    }
  }
  return assigned
}
