import type { ExampleOf } from './example.ts'
import { curlCommand, shellWord } from './quoting.ts'

/** Sends a fixed body under its right headers. */
export const curl = ({ url, headers, body }: ExampleOf): string =>
  curlCommand(
    url,
    Object.entries(headers).map(([name, value]) => shellWord(`${name}: ${value}`)),
    shellWord(body),
  )
