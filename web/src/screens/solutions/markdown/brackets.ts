import { type Definitions, labelOf, MAX_LABEL, readLabel, readTarget, type Target } from './definitions.ts'
import type { Marks } from './emphasis.ts'
import type { Node } from './inline-nodes.ts'

/** An opening bracket that may begin a link or an image. */
export interface Bracket {
  readonly node: Node
  readonly isImage: boolean
  /** Of its text, behind it. */
  readonly start: number
  readonly marks: Marks | null
  /** Whether another one follows: its text is then no label. */
  hasInner: boolean
}

/** Where a link leads whose text ends at a bracket: written behind it, or in a definition of its label. */
export const targetBehind = (
  text: string,
  at: number,
  { start, hasInner }: Bracket,
  definitions: Definitions,
): { readonly target: Target; readonly end: number } | null => {
  const written = readTarget(text, at + 1)
  if (written !== null) return { target: written.value, end: written.end }
  const named = readLabel(text, at + 1)
  const isNamed = named !== null && named.value !== ''
  if (!isNamed && hasInner) return null
  const label = labelOf(isNamed ? named.value : text.slice(start, Math.min(at, start + MAX_LABEL + 1)))
  const target = label === null ? undefined : definitions.get(label)
  return target === undefined ? null : { target, end: named?.end ?? at + 1 }
}
