/** What an example is made of. */
export interface ExampleOf {
  readonly url: string
  readonly secret: string
  readonly body: string
  /** Whether the body is JSON, which is then written as the language's own values. */
  readonly isJson: boolean
  /** What a right request with this body has. */
  readonly headers: Readonly<Record<string, string>>
}

/** A text as JavaScript and Python both write it. */
export const literal = (text: string): string => JSON.stringify(text)

/** An expression of JavaScript that is the body. */
export const javascriptBody = ({ body, isJson }: ExampleOf): string =>
  isJson ? `JSON.stringify(${body})` : literal(body)

/** The same of Python. */
export const pythonBody = ({ body, isJson }: ExampleOf): string => (isJson ? `json.dumps(${body})` : literal(body))

/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const CONTINUED = ' \\\n  '

/** A `curl` that posts; the headers and the body are words of the shell, quoted already. */
export const curlCommand = (url: string, headers: readonly string[], body: string): string =>
  [`curl -X POST ${shellWord(url)}`, ...headers.map(header => `-H ${header}`), `--data-binary ${body}`].join(CONTINUED)
