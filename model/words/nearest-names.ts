/** Shown for a value that is none. */
export const MAX_NEAREST = 5

/** Of a value that a sender made long, so many characters are compared. */
export const COMPARED = 100
/** Of names that senders made many, so many different ones are compared, the first of them. */
export const MAX_COMPARED = 2000

const pairsOf = (text: string): ReadonlySet<string> => {
  const characters = Array.from(` ${text.trim().slice(0, COMPARED).toLowerCase()} `)
  return new Set(characters.slice(1).map((character, place) => `${characters[place]}${character}`))
}

/**
 * How much two names are spelled alike, 0 to 1: the share of pairs of neighbouring characters that both have (Dice).
 */
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

/** The names that are spelled most like `value`, the nearest first; of more than 2,000 the first ones are compared. */
export const nearestNames = (value: string, names: Iterable<string>, most = MAX_NEAREST): readonly string[] => {
  const wanted = pairsOf(value)
  return firstOf(names)
    .map(name => ({ name, likeness: likeness(wanted, pairsOf(name)) }))
    .sort((one, other) => other.likeness - one.likeness || (one.name < other.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name)
}

/** Things by how much their names are spelled like `value`, the nearest first, `most` at most. */
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

/** The names that are `value`, letter case and the spaces around it aside. */
export const spelledAs = (value: string, names: Iterable<string>): readonly string[] => {
  const folded = value.trim().toLowerCase()
  return [...new Set(names)].filter(name => name.trim().toLowerCase() === folded)
}
