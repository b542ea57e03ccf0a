/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const CONTINUED = ' \\\n  '

/** A `curl` that posts; the headers and the body are words of the shell, quoted already. */
export const curlCommand = (url: string, headers: readonly string[], body: string): string =>
  [`curl -X POST ${shellWord(url)}`, ...headers.map(header => `-H ${header}`), `--data-binary ${body}`].join(CONTINUED)
