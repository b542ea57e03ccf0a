import type { Member } from './member-piece.tsx'

/**
 * As many signals of another theme a person adds before it is offered as the same. On labelled sets 6 of 10 themes that
 * were offered so were, and 2 of 10 that were only the nearest (decision 170).
 */
const LEAST_ADDED = 2

export interface PerhapsSame {
  readonly reference: string
  /** Signals of it that the person added. */
  readonly added: number
}

/** The theme from which a person added most signals, when they kept fewer of it out. */
export const perhapsSame = (
  offered: readonly Member[],
  /** By signal: true for one that was added, false for one that was kept out. */
  answers: ReadonlyMap<string, boolean>,
): PerhapsSame | null => {
  const counts = new Map<string, { added: number; keptOut: number }>()
  for (const { signal_id, in_theme } of offered) {
    const belongs = answers.get(signal_id)
    if (in_theme === undefined || belongs === undefined) continue
    const count = counts.get(in_theme) ?? { added: 0, keptOut: 0 }
    counts.set(in_theme, count)
    count[belongs ? 'added' : 'keptOut'] += 1
  }
  const [first] = [...counts]
    .filter(([, { added, keptOut }]) => added >= LEAST_ADDED && added > keptOut)
    .toSorted(([, one], [, other]) => other.added - one.added)
  return first === undefined ? null : { reference: first[0], added: first[1].added }
}
