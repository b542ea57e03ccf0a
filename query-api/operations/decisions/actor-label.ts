import type { Caller } from '../define.ts'

/** Who decides, as evidence and merges name them: the member, and the key that they work through. */
export const actorLabel = ({ userName, via: through }: Caller): string =>
  through.kind === 'app' ? userName : `${userName}, through the key "${through.label}"`
