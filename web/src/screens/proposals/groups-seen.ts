import { useRef, useState } from 'react'
import type { MergeGroup } from './likely.ts'

const idsOf = ({ pairs, more_pairs }: MergeGroup): ReadonlySet<string> =>
  new Set([...pairs, ...more_pairs].map(({ id }) => id))

/** The group without pairs that another one shows; null where nothing is left of it. */
const without = (group: MergeGroup, shown: ReadonlySet<string>): MergeGroup | null => {
  const isOther = ({ id }: { readonly id: string }) => !shown.has(id)
  const pairs = group.pairs.filter(isOther)
  if (pairs.length === group.pairs.length) return group
  return pairs.length === 0 ? null : { ...group, pairs, more_pairs: group.more_pairs.filter(isOther) }
}

/**
 * The group as the person has seen it: those of its pairs that still wait, in their order and with the chances that
 * ticked them. What its claims say is as it was read last. Without a pair: others have decided on all of them.
 */
const asSeen = (seen: MergeGroup, read: readonly MergeGroup[]): MergeGroup => {
  // A merge may have given a pair another claim: nobody has seen that one.
  const waiting = new Set(
    read.flatMap(({ pairs, more_pairs }) => [
      ...pairs.map(({ id, claim }) => `${id} ${claim.reference}`),
      ...more_pairs.map(({ id, claim }) => `${id} ${claim}`),
    ]),
  )
  const claims = new Map(
    read.flatMap(({ survivor, pairs }) => [survivor, ...pairs.map(({ claim }) => claim)]).map(each => [each.id, each]),
  )
  const asRead = (claim: MergeGroup['survivor']) => claims.get(claim.id) ?? claim
  const pairs = seen.pairs
    .filter(({ id, claim }) => waiting.has(`${id} ${claim.reference}`))
    .map(pair => ({ ...pair, claim: asRead(pair.claim) }))
  const more_pairs = seen.more_pairs.filter(({ id, claim }) => waiting.has(`${id} ${claim}`))
  const decided = idsOf(seen).size - pairs.length - more_pairs.length
  return { ...seen, survivor: asRead(seen.survivor), pairs, more_pairs, count: seen.count - decided }
}

/** The groups in the order that the person has seen, new ones after them; `held` stands there as it was seen. */
export const groupsShown = (
  read: readonly MergeGroup[],
  order: readonly string[],
  held: MergeGroup | null,
): readonly MergeGroup[] => {
  const kept = held === null ? [] : [asSeen(held, read)]
  const [heldId] = kept.map(({ survivor }) => survivor.id)
  const shown = new Set(kept.flatMap(group => [...idsOf(group)]))
  const others = read.filter(({ survivor }) => survivor.id !== heldId).flatMap(group => without(group, shown) ?? [])
  const all = new Map([...kept, ...others].map(group => [group.survivor.id, group]))
  const known = new Set(order)
  return [...order.flatMap(id => all.get(id) ?? []), ...others.filter(({ survivor }) => !known.has(survivor.id))]
}

/**
 * The list as the person has seen it, so that a key acts on what they looked at: in their order, and the group that is
 * worked on takes no new pairs, and does not go, until they move on or ask for what is new. One that was decided on
 * here, if only in part, is as it is read: `leftOf` answers another group for it.
 */
export const useSeenGroups = (read: readonly MergeGroup[], leftOf: (group: MergeGroup) => MergeGroup | null) => {
  const order = useRef<readonly string[]>([])
  const held = useRef<MergeGroup | null>(null)
  const [, drawAgain] = useState(0)
  if (held.current !== null && leftOf(held.current) !== held.current) held.current = null
  const kept = held.current
  const groups = groupsShown(read, order.current, kept)
  order.current = groups.map(({ survivor }) => survivor.id)
  const now = read.find(({ survivor }) => survivor.id === kept?.survivor.id)
  return {
    groups,
    /** How many pairs of the group that is worked on nobody has seen yet. */
    news: kept === null || now === undefined ? 0 : [...idsOf(now)].filter(id => !idsOf(kept).has(id)).length,
    hold: (current: MergeGroup | undefined): void => {
      if (held.current?.survivor.id !== current?.survivor.id) held.current = current ?? null
    },
    release: () => {
      held.current = null
      drawAgain(times => times + 1)
    },
  }
}
