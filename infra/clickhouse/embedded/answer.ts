import type { ServerResponse } from 'node:http'

const AUTHENTICATION_FAILED = 516
/** ClickHouse's codes that its HTTP interface answers with another status than 500. */
const STATUSES: Readonly<Record<number, number>> = {
  36: 400, // BAD_ARGUMENTS
  60: 404, // UNKNOWN_TABLE
  62: 400, // SYNTAX_ERROR
  81: 404, // UNKNOWN_DATABASE
  159: 408, // TIMEOUT_EXCEEDED
  [AUTHENTICATION_FAILED]: 403,
}

/** Answers an error as ClickHouse does: the code in a header, and the text that clients take apart. */
export const answerError = (response: ServerResponse, code: number, message: string): void => {
  const text = message.startsWith('Code:') ? message : `Code: ${code}. DB::Exception: ${message}`
  response.writeHead(STATUSES[code] ?? 500, {
    'content-type': 'text/plain; charset=UTF-8',
    'x-clickhouse-exception-code': String(code),
  })
  response.end(`${text}\n`)
}

export const answerUnauthorized = (response: ServerResponse): void =>
  answerError(
    response,
    AUTHENTICATION_FAILED,
    'Authentication failed: the user or the password is wrong. (AUTHENTICATION_FAILED)',
  )

export interface Progress {
  readonly readRows: number
  readonly readBytes: number
}

export const answerResult = (response: ServerResponse, bytes: Uint8Array, { readRows, readBytes }: Progress): void => {
  response.writeHead(200, {
    'content-type': 'text/plain; charset=UTF-8',
    'content-length': bytes.byteLength,
    'x-clickhouse-summary': JSON.stringify({ read_rows: String(readRows), read_bytes: String(readBytes) }),
  })
  response.end(bytes)
}
