import { t } from '../../../language/messages.ts'
/** A line of a unified diff, and what it is in it. */
export interface DifferenceLine {
  readonly kind: 'kept' | 'added' | 'removed' | 'place'
  readonly text: string
  /** Of the newer text, or where it was removed of the older one; null for a place. */
  readonly number: number | null
}

const PLACE = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

/** Reads a unified diff, as `lookup_living_document` answers it. */
export const parseDifferences = (text: string): readonly DifferenceLine[] => {
  let [older, newer] = [0, 0]
  return (text === '' ? [] : text.split('\n')).map(line => {
    const [, from, to] = PLACE.exec(line) ?? []
    if (from !== undefined && to !== undefined) {
      older = Number(from)
      newer = Number(to)
      return { kind: 'place', text: t('Line {newer}', { newer }), number: null }
    }
    const mark = line[0]
    const rest = line.slice(1)
    if (mark === '-') return { kind: 'removed', text: rest, number: older++ }
    if (mark === '+') return { kind: 'added', text: rest, number: newer++ }
    older += 1
    return { kind: 'kept', text: rest, number: newer++ }
  })
}
