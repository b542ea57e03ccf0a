/**
 * The parts of PostgreSQL's wire protocol 3.0 (manual, chapter "Frontend/Backend Protocol") that the embedded server
 * needs: message boundaries, and the answers that the server gives itself.
 */

const PROTOCOL_3 = 3
const SSL_REQUEST = 80_877_103
const CANCEL_REQUEST = 80_877_102
const GSS_REQUEST = 80_877_104

/** A client's first packet, which has no type byte. */
export type Opening = 'startup' | 'encryption' | 'cancel' | 'unknown'

export const openingOf = (packet: Buffer): Opening => {
  const code = packet.readInt32BE(4)
  if (code === SSL_REQUEST || code === GSS_REQUEST) return 'encryption'
  if (code === CANCEL_REQUEST) return 'cancel'
  return code >>> 16 === PROTOCOL_3 ? 'startup' : 'unknown'
}

/** The parameters of a startup packet: pairs of names and values, each ended by a zero byte. */
export const startupParameters = (startup: Buffer): ReadonlyMap<string, string> => {
  const parts = startup.toString('utf8', 8).split('\0')
  const parameters = new Map<string, string>()
  for (let at = 0; at + 1 < parts.length && parts[at] !== ''; at += 2)
    parameters.set(String(parts[at]), String(parts[at + 1]))
  return parameters
}

/** No query of ours is larger. PostgreSQL's own limit of 1 GB does not fit into WebAssembly's memory. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024

/** Splits a stream into messages: without a type byte until `started` is set, with one afterwards. */
export class MessageReader {
  started = false
  #chunks: Buffer[] = []
  #length = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** The next complete message, or null until more bytes come. Throws for an impossible length. */
  next(): Buffer | null {
    const header = this.started ? 5 : 4
    if (this.#length < header) return null
    const bytes = this.#joined(header)
    const length = bytes.readInt32BE(header - 4) + header - 4
    if (length < header || length > MAX_MESSAGE_BYTES || (!this.started && length < 8))
      throw new Error('a message of an impossible length')
    if (this.#length < length) return null
    const all = this.#joined(length)
    this.#chunks = all.length > length ? [all.subarray(length)] : []
    this.#length -= length
    return all.subarray(0, length)
  }

  /** Joins chunks so that the first has at least `length` bytes. Chunks are joined only when a message is complete. */
  #joined(length: number): Buffer {
    const first = this.#chunks[0] ?? Buffer.alloc(0)
    if (first.length >= length) return first
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all
  }
}

const SYNC = 'S'.charCodeAt(0)
const QUERY = 'Q'.charCodeAt(0)
const FUNCTION_CALL = 'F'.charCodeAt(0)
const FLUSH = 'H'.charCodeAt(0)
const TERMINATE = 'X'.charCodeAt(0)

const ENDS_A_CYCLE = new Set([SYNC, QUERY, FUNCTION_CALL, FLUSH])

/** True when the server must answer after this message. */
export const endsCycle = (message: Buffer): boolean => ENDS_A_CYCLE.has(message[0] ?? 0)
export const isTerminate = (message: Buffer): boolean => message[0] === TERMINATE

const typed = (type: string, ...parts: readonly (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const int32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => {
    bytes.writeInt32BE(value, index * 4)
  })
  return bytes
}

export const queryMessage = (statement: string): Buffer => typed('Q', statement)
export const syncMessage = (): Buffer => typed('S')

/**
 * The complete answer to a startup: no password, since the socket's directory is private, the session's settings,
 * ready.
 */
export const greeting = (settings: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat([
    typed('R', int32(0)),
    ...Object.entries(settings).map(([name, value]) => typed('S', name, value)),
    typed('K', int32(0, 0)),
    typed('Z', Buffer.from('I')),
  ])

export const fatalMessage = (sqlState: string, message: string): Buffer =>
  typed('E', 'SFATAL', 'VFATAL', `C${sqlState}`, `M${message}`, Buffer.alloc(1))

/** The transaction's state at the end of an answer: idle, open, failed. Null for an incomplete answer. */
export type TransactionState = 'I' | 'T' | 'E'

export const stateAfter = (answer: Buffer): TransactionState | null => {
  const end = answer.subarray(-6)
  if (end.length < 6 || end[0] !== 'Z'.charCodeAt(0) || end.readInt32BE(1) !== 5) return null
  const state = String.fromCharCode(end[5] ?? 0)
  return state === 'I' || state === 'T' || state === 'E' ? state : null
}

/** The messages of an answer, by type and body. */
function* messagesOf(answer: Buffer): Generator<{ readonly type: string; readonly body: Buffer }> {
  for (let at = 0; at + 5 <= answer.length; ) {
    const length = answer.readInt32BE(at + 1)
    yield { type: String.fromCharCode(answer[at] ?? 0), body: answer.subarray(at + 5, at + 1 + length) }
    at += 1 + length
  }
}

/** The error's text in an answer; null without an error. */
export const errorIn = (answer: Buffer): string | null => {
  for (const { type, body } of messagesOf(answer))
    if (type === 'E') {
      const fields = body.toString('utf8').split('\0')
      return fields.find(field => field.startsWith('M'))?.slice(1) ?? 'an error without a message'
    }
  return null
}

/** The first column of each row of an answer, as text. */
export const firstColumn = (answer: Buffer): string[] => {
  const column: string[] = []
  for (const { type, body } of messagesOf(answer))
    if (type === 'D') column.push(body.toString('utf8', 6, 6 + Math.max(0, body.readInt32BE(2))))
  return column
}

/** The completed commands of an answer, such as `INSERT 0 1`. */
export const commandsIn = (answer: Buffer): string[] => {
  const commands: string[] = []
  for (const { type, body } of messagesOf(answer))
    if (type === 'C') commands.push(body.toString('latin1', 0, body.length - 1))
  return commands
}
