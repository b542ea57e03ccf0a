import type { Static, TObject } from 'typebox'
import { Compile } from 'typebox/compile'

/** Reads a stored cursor; null for none, and for one that another version left in another shape: the job begins anew then. */
export const cursorReader = <Schema extends TObject>(schema: Schema) => {
  const compiled = Compile(schema)
  return (stored: unknown): Static<Schema> | null => (compiled.Check(stored) ? stored : null)
}
