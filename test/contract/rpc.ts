/** What was answered to a message, as it came over HTTP. */
export interface RpcAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly jsonrpc?: string
    readonly id?: unknown
    // What a method answers is its own; each test reads the fields that it asserts on.
    readonly result?: Readonly<Record<string, unknown>>
    readonly error?: { readonly code: number; readonly message: string }
  } | null
}

/**
 * Posts a message to the MCP endpoint as it is, with nothing but what a client has to send; headers and a query may be
 * added.
 */
export const rpc = async (
  baseUrl: string,
  message: object | string,
  { headers = {}, query = '' }: { readonly headers?: Readonly<Record<string, string>>; readonly query?: string } = {},
): Promise<RpcAnswer> => {
  const response = await fetch(`${baseUrl}/api/mcp${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  const body = text === '' ? null : (JSON.parse(text) as RpcAnswer['body'])
  return { status: response.status, headers: response.headers, body }
}

export const request = (method: string, params?: object, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
})

export const toolCall = (name: string, input: object, id: string | number = 1) =>
  request('tools/call', { name, arguments: input }, id)

export const bearing = (key: string) => ({ authorization: `Bearer ${key}` })

/** What a method answered; throws with the error where it did not. */
export const resultOf = <Result>(body: RpcAnswer['body']): Result => {
  if (body?.result === undefined) throw new Error(`There is no result: ${JSON.stringify(body)}`)
  return body.result as Result
}

interface Structured<Data> {
  readonly structuredContent: { readonly data: Data; readonly meta: { readonly work_units: number } }
}

/** What a tool answered, as its structured content. */
export const contentOf = <Data>(body: RpcAnswer['body']): Structured<Data>['structuredContent'] =>
  resultOf<Structured<Data>>(body).structuredContent

/** The answers to a batch, which come as an array. */
export const answersOf = (body: RpcAnswer['body']): readonly RpcAnswer['body'][] =>
  body as unknown as readonly RpcAnswer['body'][]
