import { yieldToEventLoop } from '../../infra/runtime/yielding.ts'
import type { Meanings } from './meanings.ts'
import { inSteps, type Pull, pullOf } from './pull.ts'
import { stepsOf } from './steps.ts'

export interface FoundMember {
  /** Index in the given signals. */
  readonly signal: number
  /** Average likeness to the other members, in steps (see `Steps`), or the pull by the confirmed signals. */
  readonly likeness: number
}

export interface FoundTheme {
  /** Surest first. */
  readonly members: readonly FoundMember[]
  /** Absent when no signal gives the theme a direction. */
  readonly pull?: Pull
}

/** A person's answers about a theme, by index of the signals. */
export interface Answered {
  readonly confirmed: readonly number[]
  readonly refused: readonly number[]
  /** What the theme has in it since the last computation. */
  readonly present: readonly FoundMember[]
}

/**
 * Least pull of a member, in steps of the pull on any signal: few unrelated signals reach it by chance. Signals below
 * are offered to people.
 */
const LEAST_PULL = 5

/**
 * Themes with confirmed signals, each with these and with the signals that it pulls more than other themes do. A signal
 * may be confirmed for several themes, but is pulled to one, and never to a theme that it was refused for. What nothing
 * pulls stays where it is, in a theme that more was confirmed of than refused: who adds a signal to a theme means what
 * the theme shows, too.
 */
export const grow = async (answered: readonly Answered[], meanings: Meanings): Promise<readonly FoundTheme[]> => {
  const isConfirmed = new Set(answered.flatMap(({ confirmed }) => confirmed))
  const most = new Float64Array(meanings.size).fill(LEAST_PULL)
  const pulledTo = new Int32Array(meanings.size).fill(-1)
  const themes: { members: FoundMember[]; pull: Pull }[] = []
  for (const [at, { confirmed, refused }] of answered.entries()) {
    await yieldToEventLoop()
    const { pull, pulls } = pullsOf({ confirmed, refused }, meanings)
    themes.push({ members: confirmed.map(signal => ({ signal, likeness: pulls[signal] ?? 0 })), pull })
    const isRefused = new Set(refused)
    for (const [signal, likeness] of pulls.entries()) {
      if (likeness < (most[signal] ?? 0) || isConfirmed.has(signal) || isRefused.has(signal)) continue
      most[signal] = likeness
      pulledTo[signal] = at
    }
  }
  for (const [signal, at] of pulledTo.entries()) themes[at]?.members.push({ signal, likeness: most[signal] ?? 0 })
  for (const [at, { confirmed, refused, present }] of answered.entries()) {
    if (refused.length >= confirmed.length) continue
    const isRefused = new Set(refused)
    const stay = present.filter(
      ({ signal }) => pulledTo[signal] === -1 && !isConfirmed.has(signal) && !isRefused.has(signal),
    )
    for (const member of stay) themes[at]?.members.push(member)
  }
  return themes.map(({ members, pull }) => ({
    members: members.toSorted((one, other) => other.likeness - one.likeness || one.signal - other.signal),
    ...(pull.direction.length > 0 && { pull }),
  }))
}

/** The pull of a theme on each signal. */
const pullsOf = (
  { confirmed, refused }: Pick<Answered, 'confirmed' | 'refused'>,
  meanings: Meanings,
): { readonly pull: Pull; readonly pulls: Float64Array } => {
  const direction = pullOf(confirmed.map(meanings.direction), refused.map(meanings.direction))
  const towards = meanings.towards(direction)
  const steps = stepsOf(towards)
  const pulls = towards.map(each => (each - steps.middle) / steps.spread)
  return { pull: inSteps(direction, steps, LEAST_PULL), pulls }
}
