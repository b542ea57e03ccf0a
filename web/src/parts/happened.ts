import { HOUR_MS } from './duration.ts'

interface Happened {
  /** Never after it came in, whatever its sender says. */
  readonly happened: Date
  /** Null: about when it happened, or not known. */
  readonly cameIn: Date | null
}

/** When something happened by what its sender says, and when it came in where that was another time. Both are ISO 8601. */
export const happenedOf = (at: string, received: string | undefined): Happened => {
  const happened = new Date(at)
  if (received === undefined) return { happened, cameIn: null }
  const cameIn = new Date(received)
  if (happened > cameIn) return { happened: cameIn, cameIn: null }
  return { happened, cameIn: cameIn.getTime() - happened.getTime() > HOUR_MS ? cameIn : null }
}
