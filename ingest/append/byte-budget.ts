/**
 * A number of bytes that many share: a body or a record holds its bytes from the moment it is in memory until it is
 * gone.
 */
export interface ByteBudget {
  /** False, with nothing taken, when that many are not left. */
  take(bytes: number): boolean
  give(bytes: number): void
  used(): number
}

export const createByteBudget = (limit: number): ByteBudget => {
  let used = 0
  return {
    take: bytes => {
      if (used + bytes > limit) return false
      used += bytes
      return true
    },
    give: bytes => {
      used -= bytes
    },
    used: () => used,
  }
}
