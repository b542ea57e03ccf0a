import { useState } from 'react'
import type { Member } from './member-piece.tsx'

/** The rows in the order that the person has seen, each as it was read last; what is new comes after them. */
export const inOrderSeen = (seen: readonly Member[], read: readonly Member[]): readonly Member[] => {
  const now = new Map(read.map(member => [member.signal_id, member]))
  const known = new Set(seen.map(({ signal_id }) => signal_id))
  return [
    ...seen.map(member => now.get(member.signal_id) ?? member),
    ...read.filter(({ signal_id }) => !known.has(signal_id)),
  ]
}

interface Kept {
  readonly members: readonly Member[]
  /** How many pages were read: those that are asked for later come after them. */
  readonly pages: number
}

const isSame = (some: readonly Member[], others: readonly Member[]): boolean => {
  const ids = new Set(others.map(({ signal_id }) => signal_id))
  return ids.size === some.length && some.every(({ signal_id }) => ids.has(signal_id))
}

/**
 * The members that a person looks at, each with what is said of it by now, in the place where it was. Behind them are
 * those that the person has `added` since.
 */
export const membersShown = (
  kept: Kept,
  read: readonly (readonly Member[])[],
  added: ReadonlySet<string> = new Set(),
): readonly Member[] => {
  const now = new Map(read.flat().map(member => [member.signal_id, member]))
  const later = read.flatMap((page, at) =>
    at < kept.pages ? page.filter(({ signal_id }) => added.has(signal_id)) : page,
  )
  return inOrderSeen(kept.members, later).map(member => ({
    ...(now.get(member.signal_id) ?? member),
    is_doubtful: member.is_doubtful,
  }))
}

/**
 * The members of a theme, as they are until a person ticks: from then on those that were seen stay, whatever the theme
 * becomes meanwhile, until the person asks for what it is now. What that person has `added` comes to them.
 */
export const useKeptMembers = (read: readonly (readonly Member[])[], added: ReadonlySet<string>) => {
  const [kept, setKept] = useState<Kept | null>(null)
  const fresh = read.flat()
  const members = kept === null ? fresh : membersShown(kept, read, added)
  const now = new Set(fresh.map(({ signal_id }) => signal_id))
  return {
    members,
    hasChanged: !isSame(members, fresh),
    isGone: ({ signal_id }: Member): boolean => !now.has(signal_id),
    keep: () => setKept(before => before ?? { members: fresh, pages: read.length }),
    release: () => setKept(null),
  }
}
