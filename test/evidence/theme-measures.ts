import { type Figure, share } from './confidence.ts'

/** Messages by their ids, that something put together: the groups in the order in which they are shown. */
export type Groups = readonly (readonly string[])[]

interface Labelled {
  readonly id: string
  /** None for noise, two for a message with two needs. */
  readonly themes: readonly string[]
}

const MAJORITY = 0.5

const isMost = (part: number, whole: number): boolean => part > whole * MAJORITY

const byId = (lines: readonly Labelled[]): ReadonlyMap<string, readonly string[]> =>
  new Map(lines.map(({ id, themes }) => [id, themes]))

/** How many members of each theme a group has. A message with two needs counts for both, noise for none. */
const countThemes = (group: readonly string[], themesOf: ReadonlyMap<string, readonly string[]>) => {
  const counts = new Map<string, number>()
  for (const id of group) for (const theme of themesOf.get(id) ?? []) counts.set(theme, (counts.get(theme) ?? 0) + 1)
  return counts
}

const best = <Thing>(things: readonly Thing[], scoreOf: (thing: Thing) => number): Thing | undefined =>
  things.reduce<Thing | undefined>(
    (known, thing) => (known === undefined || scoreOf(thing) > scoreOf(known) ? thing : known),
    undefined,
  )

interface Placed {
  readonly theme: string
  readonly group: string
}

/**
 * One theme and one group for each message, as a comparison of two partitions needs.
 *
 * - A message with two needs counts for the theme, and if it is in several groups for the group, that fit best: where
 *   most messages with one need of that theme are in that group.
 * - A message with one need counts for the first group that has it, whatever others have it too.
 * - Noise is a theme of its own each, and what is in no group a group of its own each. So noise costs where it is put
 *   together with something, and costs nothing where it is left alone.
 */
const placesOf = (lines: readonly Labelled[], groups: Groups): readonly Placed[] => {
  const single = byId(lines.filter(({ themes }) => themes.length === 1))
  const counts = groups.map(group => countThemes(group, single))
  const groupsOf = new Map<string, number[]>()
  for (const [at, group] of groups.entries())
    for (const id of new Set(group)) groupsOf.set(id, [...(groupsOf.get(id) ?? []), at])
  return lines.map(({ id, themes }) => {
    const within = groupsOf.get(id) ?? []
    const alone = `alone ${id}`
    const [first] = within
    if (first === undefined || themes.length < 2)
      return { theme: themes[0] ?? alone, group: first === undefined ? alone : `${first}` }
    const choices = within.flatMap(group => themes.map(theme => ({ theme, group })))
    const chosen = best(choices, ({ theme, group }) => counts[group]?.get(theme) ?? 0)
    return { theme: chosen?.theme ?? alone, group: `${chosen?.group ?? first}` }
  })
}

const pairsOf = (count: number): number => (count * (count - 1)) / 2

const pairsWithin = (keys: readonly string[]): number => {
  let pairs = 0
  for (const same of Map.groupBy(keys, key => key).values()) pairs += pairsOf(same.length)
  return pairs
}

/**
 * How far groups and themes agree: 1 where they are the same, 0 where they agree as by chance. `placesOf` says what
 * messages with two needs, noise and what is in no group count as.
 */
export const adjustedRandIndex = (lines: readonly Labelled[], groups: Groups): number => {
  const places = placesOf(lines, groups)
  const together = pairsWithin(places.map(({ theme, group }) => `${group} ${theme}`))
  const byTheme = pairsWithin(places.map(({ theme }) => theme))
  const byGroup = pairsWithin(places.map(({ group }) => group))
  const byChance = (byTheme * byGroup) / Math.max(1, pairsOf(places.length))
  const most = (byTheme + byGroup) / 2
  return most === byChance ? 1 : (together - byChance) / (most - byChance)
}

/**
 * The themes of which most members are in one group that is mostly of that theme. A message with two needs is a member
 * of both; noise in a group counts against it.
 */
export const themesFound = (lines: readonly Labelled[], groups: Groups): ReadonlySet<string> => {
  const themesOf = byId(lines)
  const sizes = countThemes([...themesOf.keys()], themesOf)
  const found = groups.flatMap(group =>
    [...countThemes(group, themesOf)]
      .filter(([theme, count]) => isMost(count, sizes.get(theme) ?? 0) && isMost(count, group.length))
      .map(([theme]) => theme),
  )
  return new Set(found)
}

export interface FirstGroups {
  /** Of their members, how many have no theme. */
  readonly noise: Figure
  /** Of their members, noise among them, how many are of the theme that their group has most of. */
  readonly right: Figure
}

const SHOWN = 10

/** What somebody meets who looks at the first groups alone. */
export const firstGroups = (lines: readonly Labelled[], groups: Groups, count = SHOWN): FirstGroups => {
  const themesOf = byId(lines)
  const members = groups.slice(0, count).flatMap(group => {
    const main = best([...countThemes(group, themesOf)], ([, members]) => members)?.[0]
    return group.map(id => ({ themes: themesOf.get(id) ?? [], main }))
  })
  return {
    noise: share(members.map(({ themes }) => themes.length === 0)),
    right: share(members.map(({ themes, main }) => main !== undefined && themes.includes(main))),
  }
}
