/** Suggestions for an unknown value. */
export const MAX_NEAREST = 5

/** Characters of a value that are compared, because a sender may make it long. */
export const COMPARED = 100
/** Different names that are compared, because senders may make them many. */
export const MAX_COMPARED = 2000

const pairsOf = (text: string): ReadonlySet<string> => {
  const characters = Array.from(` ${text.trim().slice(0, COMPARED).toLowerCase()} `)
  return new Set(characters.slice(1).map((character, place) => `${characters[place]}${character}`))
}

/** Similarity of two spellings, 0 to 1: the part of neighbouring character pairs that both have (Dice). */
const likeness = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  (2 * [...one].filter(pair => other.has(pair)).length) / (one.size + other.size)

const firstOf = (names: Iterable<string>): readonly string[] => {
  const first = new Set<string>()
  for (const name of names) {
    first.add(name)
    if (first.size === MAX_COMPARED) break
  }
  return [...first]
}

/** Names whose spelling is nearest to `value`, nearest first, among the first 2,000. */
export const nearestNames = (value: string, names: Iterable<string>, most = MAX_NEAREST): readonly string[] => {
  const wanted = pairsOf(value)
  return firstOf(names)
    .map(name => ({ name, likeness: likeness(wanted, pairsOf(name)) }))
    .sort((one, other) => other.likeness - one.likeness || (one.name < other.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name)
}

/** Things whose names are spelled most like `value`, nearest first, at most `most`. */
export const nearestFirst = <Named extends { readonly name: string }>(
  value: string,
  things: readonly Named[],
  most = MAX_NEAREST,
): readonly Named[] => {
  const places = new Map(
    nearestNames(
      value,
      things.map(({ name }) => name),
      things.length,
    ).map((name, at) => [name, at]),
  )
  return things.toSorted((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0)).slice(0, most)
}

/** Names equal to `value`, without letter case and surrounding spaces. */
export const spelledAs = (value: string, names: Iterable<string>): readonly string[] => {
  const folded = value.trim().toLowerCase()
  return [...new Set(names)].filter(name => name.trim().toLowerCase() === folded)
}
