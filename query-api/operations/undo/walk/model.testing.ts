/**
 * A workspace's evidence as facts by name, kept in memory beside the database: the claim of each signal, the survivor
 * of each claim, and the original of each repeat. Each move of a walk changes the facts by the promise of its
 * operation; the database must agree.
 *
 *   evidence <claim> <signal>   the claims through which the signal came, sorted
 *   link <solution> <claim>     the claims through which the link came, sorted
 *   merged <claim>              the claim into which it was merged
 *   claim <claim>               its state
 *   state <signal>              its state
 *   class <signal>              its classification
 *   repeat <signal>             its original
 *   taken <signal>              it was taken out of its original, and is in the pipeline
 */
export type Facts = ReadonlyMap<string, string>

interface Difference {
  readonly before: string | undefined
  after: string | undefined
}

/** Changes of one move, by name of the fact. */
export type Differences = ReadonlyMap<string, Difference>

/** The model cannot foresee a claim's state, which follows the kinds of its evidence; the database's value is taken. */
export const isForeseen = (name: string): boolean => !name.startsWith('claim ')

const originsOf = (value: string): readonly string[] => (value === '' ? [] : value.split(','))
export const originsIn = (origins: Iterable<string>): string => [...new Set(origins)].toSorted().join(',')

/** The model says that the move is impossible; a service that accepts it has lost something. */
export class Impossible extends Error {}

export class Model {
  readonly facts: Map<string, string>
  #differences = new Map<string, Difference>()

  constructor(facts: Facts) {
    this.facts = new Map(facts)
  }

  get(name: string): string | undefined {
    return this.facts.get(name)
  }

  set(name: string, value: string | undefined): void {
    const known = this.#differences.get(name)
    if (known === undefined) this.#differences.set(name, { before: this.get(name), after: value })
    else known.after = value
    if (value === undefined) this.facts.delete(name)
    else this.facts.set(name, value)
  }

  /** Changes since the last call. */
  takeDifferences(): Differences {
    const taken = this.#differences
    this.#differences = new Map()
    return new Map([...taken].filter(([, { before, after }]) => before !== after))
  }

  /** Facts with this beginning, by the rest of their names. */
  under(prefix: string): readonly (readonly [rest: string, value: string])[] {
    return [...this.facts].flatMap(([name, value]) =>
      name.startsWith(`${prefix} `) ? [[name.slice(prefix.length + 1), value] as const] : [],
    )
  }

  survivorOf(claim: string): string {
    const into = this.get(`merged ${claim}`)
    return into === undefined ? claim : this.survivorOf(into)
  }

  /** A claim and all claims merged into it, directly or through others. */
  lineageOf(claim: string): ReadonlySet<string> {
    const lineage = new Set([claim])
    for (const member of lineage) {
      for (const [merged, into] of this.under('merged')) if (into === member) lineage.add(merged)
    }
    return lineage
  }

  /** Merges one claim into another: its evidence and links move, and remember the merged claim. */
  merge(claim: string, survivor: string): void {
    for (const [kind, object] of this.#hangingOn(claim)) {
      const from = nameOf(kind, claim, object)
      const to = nameOf(kind, survivor, object)
      const moved = ownOr(this.get(from) ?? '', claim)
      const there = this.get(to)
      this.set(from, undefined)
      this.set(to, originsIn(there === undefined ? moved : [...ownOr(there, survivor), ...moved]))
    }
    this.set(`merged ${claim}`, survivor)
  }

  /** Undoes a merge: everything that came through the claim, or through its own merged claims, goes back. */
  pullApart(claim: string): void {
    const from = this.survivorOf(claim)
    const lineage = this.lineageOf(claim)
    this.set(`merged ${claim}`, undefined)
    for (const [kind, object] of this.#hangingOn(from)) {
      const name = nameOf(kind, from, object)
      const origins = originsOf(this.get(name) ?? '')
      const back = origins.filter(origin => lineage.has(origin))
      if (back.length === 0) continue
      const staying = origins.filter(origin => !lineage.has(origin))
      const to = nameOf(kind, claim, object)
      if (this.get(to) === undefined) this.set(to, withoutItself(back, claim))
      this.set(name, staying.length === 0 ? undefined : withoutItself(staying, from))
    }
  }

  /** Undoes a signal's attachment under a claim's name: the survivor's other reasons for the signal stay. */
  takeOff(claim: string, signal: string): void {
    const survivor = this.survivorOf(claim)
    const name = nameOf('evidence', survivor, signal)
    const origins = this.get(name)
    const cameBy = origins === undefined ? [] : ownOr(origins, survivor)
    if (!cameBy.includes(claim)) throw new Impossible(`${signal} is no evidence by the name of ${claim}`)
    const staying = cameBy.filter(origin => origin !== claim)
    this.set(name, staying.length === 0 ? undefined : withoutItself(staying, survivor))
  }

  #hangingOn(claim: string): readonly (readonly ['evidence' | 'link', string])[] {
    return [
      ...this.under(`evidence ${claim}`).map(([signal]) => ['evidence', signal] as const),
      ...this.under('link').flatMap(([rest]) => {
        const [solution = '', linked] = rest.split(' ')
        return linked === claim ? [['link', solution] as const] : []
      }),
    ]
  }

  /** Marks a signal and its repeats as repeats of another. */
  markRepeat(signal: string, original: string): readonly string[] {
    const repeats = this.under('repeat').flatMap(([repeat, of]) => (of === signal ? [repeat] : []))
    for (const repeat of repeats) this.set(`repeat ${repeat}`, original)
    this.set(`repeat ${signal}`, original)
    return repeats
  }

  /** Unmarks a signal, with those of its repeats that have not moved on. */
  unmarkRepeat(signal: string, repeats: readonly string[]): void {
    const original = this.get(`repeat ${signal}`)
    this.set(`repeat ${signal}`, undefined)
    for (const repeat of repeats) {
      if (this.get(`repeat ${repeat}`) === original) this.set(`repeat ${repeat}`, signal)
    }
  }

  /** Undoes a move. A claim that the move started keeps its reference, dismissed. */
  takeBack(differences: Differences): void {
    for (const [name, { before, after }] of differences) {
      if (isForeseen(name) && this.get(name) !== after) throw new Impossible(`${name} is not as the change left it`)
      this.set(name, before === undefined && name.startsWith('claim ') ? 'dismissed' : before)
    }
  }
}

const nameOf = (kind: 'evidence' | 'link', claim: string, object: string): string =>
  kind === 'evidence' ? `evidence ${claim} ${object}` : `link ${object} ${claim}`

/** A claim's own evidence has itself as origin. */
const ownOr = (origins: string, claim: string): readonly string[] => (origins === '' ? [claim] : originsOf(origins))
const withoutItself = (origins: readonly string[], claim: string): string =>
  origins.length === 1 && origins[0] === claim ? '' : originsIn(origins)

/** True for a problem or an idea without a claim; a repeat counts with its original. */
const isStranded = (model: Model, signal: string, state: string): boolean =>
  state !== 'dismissed' &&
  model.get(`class ${signal}`) !== 'question' &&
  model.get(`repeat ${signal}`) === undefined &&
  ![...model.facts.keys()].some(name => name.startsWith('evidence ') && name.endsWith(` ${signal}`))

/** The first impossible fact, in the database or in the model; null when there is none. */
export const brokenFact = (facts: Facts): string | null => {
  const model = new Model(facts)
  for (const [name, value] of facts) {
    const [kind, one = '', other = ''] = name.split(' ')
    const claim = kind === 'evidence' ? one : kind === 'link' ? other : null
    if (claim !== null && model.get(`merged ${claim}`) !== undefined) return `${name}: the claim was merged away`
    if (claim !== null && originsOf(value).some(origin => model.survivorOf(origin) !== claim))
      return `${name}: came by a claim of its own, ${value}`
    if (kind === 'evidence' && model.get(`state ${other}`) === undefined) return `${name}: there is no such signal`
    if (kind === 'repeat' && model.get(`repeat ${value}`) !== undefined) return `${name}: ${value} repeats another`
    if (kind === 'repeat' && model.get(`state ${value}`) === undefined) return `${name}: there is no ${value}`
    if (kind === 'state' && isStranded(model, one, value)) return `${name}: it is evidence of no claim`
    if (kind !== 'claim' || value === 'dismissed' || model.get(`merged ${one}`) !== undefined) continue
    if (model.under(`evidence ${one}`).length === 0) return `${name}: it stands, without evidence`
  }
  return null
}
