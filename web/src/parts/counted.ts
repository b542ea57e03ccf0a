import { plural } from '../language/messages.ts'

/** “1 signal”, “1,200 signals”. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  plural(number, `{number} ${one}`, `{number} ${many}`)
