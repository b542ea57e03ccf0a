/** Account changes without an answer yet; some replace the session. */
const changing = new Set<Promise<unknown>>()
let ended = 0

/** Runs a change of the account. A new password ends the session that other requests of the page still carry. */
export const changeAccount = async <Answer>(change: () => Promise<Answer>): Promise<Answer> => {
  const answer = change()
  changing.add(answer)
  try {
    return await answer
  } finally {
    changing.delete(answer)
    ended += 1
  }
}

/**
 * Notes the present session for a request. The answered function waits for account changes under way and tells whether
 * one has ended since, so that a refused request may succeed with the new session.
 */
export const noteSession = (): (() => Promise<boolean>) => {
  const before = ended
  return async () => {
    await Promise.allSettled(changing)
    return ended > before
  }
}
