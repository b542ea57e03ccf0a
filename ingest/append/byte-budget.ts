/** A shared number of bytes. A body or record takes its bytes while it is in memory. */
export interface ByteBudget {
  /** False, with nothing taken, when fewer bytes are left. */
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
