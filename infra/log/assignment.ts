interface Reader {
  readonly topics: ReadonlySet<string>
}

/**
 * Who of a group reads which partition: each partition of a topic that somebody reads has one reader, loads differ by as
 * little as the readers' topics allow, and a partition stays where it is unless moving it evens things out.
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
  // Each move lowers the sum of the squared loads, so this ends.
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
