import { AssayError } from './errors.ts'

/** The work's result, or a rejection with `timeout` when it takes longer. The work itself goes on; nobody waits for it. */
export const withDeadline = async <T>(work: Promise<T>, ms: number, what: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AssayError('timeout', `${what} took longer than ${ms} ms.`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
