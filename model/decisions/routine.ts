/** An object of a Decision with its change. */
interface Changed {
  readonly kind: string
  readonly change: Readonly<Record<string, unknown>>
}

/** Changes of claims in daily work: evidence that came or went with signals, and claims that are not the same. */
const OF_CLAIMS = [
  'attached_signal',
  'may_merge_with',
  'promoted_signal',
  'promoted_signals',
  'pulled_out',
  'pulled_out_of',
  'refused_merge_with',
]

/** Changes of a claim that follow from decisions on its signals. */
const BY_ITS_SIGNALS = ['kind', 'state']

const isRoutineChange = ({ kind, change }: Changed, ofSignals: boolean): boolean => {
  const fields = Object.keys(change)
  if (kind === 'signal') return fields.length > 0
  if (kind === 'solution') return fields.includes('living_doc')
  if (kind !== 'claim') return false
  return (
    fields.some(field => OF_CLAIMS.includes(field)) ||
    (ofSignals && fields.length > 0 && fields.every(field => BY_ITS_SIGNALS.includes(field)))
  )
}

/**
 * True for a routine Decision: a signal that was decided in Triage, two claims that are not the same, or a saved
 * version of a Living Document. People who ask for Decisions look for the others.
 */
export const isRoutine = (objects: readonly Changed[]): boolean => {
  const ofSignals = objects.some(({ kind }) => kind === 'signal')
  return objects.length > 0 && objects.every(object => isRoutineChange(object, ofSignals))
}
