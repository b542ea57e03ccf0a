import { yieldToEventLoop } from '../../infra/runtime/turns.ts'
import type { Meanings } from './meanings.ts'
import { pullOf } from './pull.ts'
import { stepsOf } from './steps.ts'

export interface FoundMember {
  /** Its place in what was given. */
  readonly signal: number
  /**
   * How alike it is to the other members on average, in steps of how much the likeness of any two signals differs; or
   * how far the confirmed ones pull it.
   */
  readonly likeness: number
}

/** What a person said of a theme, by the places of signals. */
export interface Answered {
  readonly confirmed: readonly number[]
  readonly refused: readonly number[]
}

/**
 * A theme takes what it pulls so far, in steps of how far it pulls any signal: among many signals of other things few
 * are pulled so by chance. What is less sure waits, and is offered.
 */
const LEAST_PULL = 3.5

/**
 * The themes that signals were confirmed of, each with these and with what it pulls more than any other does. A signal
 * may be confirmed of several, and is pulled to one; to none that it was refused of.
 */
export const grow = async (
  answered: readonly Answered[],
  meanings: Meanings,
): Promise<readonly (readonly FoundMember[])[]> => {
  const isConfirmed = new Set(answered.flatMap(({ confirmed }) => confirmed))
  const most = new Float64Array(meanings.size).fill(LEAST_PULL)
  const pulledTo = new Int32Array(meanings.size).fill(-1)
  const themes: FoundMember[][] = []
  for (const [at, { confirmed, refused }] of answered.entries()) {
    await yieldToEventLoop()
    const pulls = pullsOf({ confirmed, refused }, meanings)
    themes.push(confirmed.map(signal => ({ signal, likeness: pulls[signal] ?? 0 })))
    const isRefused = new Set(refused)
    for (const [signal, pull] of pulls.entries()) {
      if (pull < (most[signal] ?? 0) || isConfirmed.has(signal) || isRefused.has(signal)) continue
      most[signal] = pull
      pulledTo[signal] = at
    }
  }
  for (const [signal, at] of pulledTo.entries()) themes[at]?.push({ signal, likeness: most[signal] ?? 0 })
  return themes.map(members =>
    members.toSorted((one, other) => other.likeness - one.likeness || one.signal - other.signal),
  )
}

/** How far a theme pulls each signal. */
const pullsOf = ({ confirmed, refused }: Answered, meanings: Meanings): Float64Array => {
  const pulls = meanings.towards(pullOf(confirmed.map(meanings.direction), refused.map(meanings.direction)))
  const { middle, spread } = stepsOf(pulls)
  return pulls.map(pull => (pull - middle) / spread)
}
