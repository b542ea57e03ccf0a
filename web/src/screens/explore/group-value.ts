import { word } from '../../language/messages.ts'
import type { PathOf } from './use-node-paths.ts'

/** Fields whose values are words of a closed vocabulary; others have what somebody wrote. */
const CLOSED: ReadonlySet<string> = new Set(['signal_origin', 'actor_role', 'classification', 'channel', 'step'])

/** A value that rows are apart by, as people read it: a node by its path, a stage in words. */
export const groupValue = (name: string, value: string, pathOf: PathOf): string => {
  if (name === 'node') return pathOf.get(value) ?? value
  if (name === 'stage') return word(value.replaceAll('_', ' '))
  return CLOSED.has(name) ? word(value) : value
}
