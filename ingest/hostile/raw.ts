import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  /** Null when the connection ended without an answer. */
  readonly status: number | null
  readonly text: string
}

/** What the server sent: one whole answer, or everything until it hung up. `withoutBody` is for HEAD. */
export const readAnswer = async (socket: Socket, withoutBody = false): Promise<RawAnswer> => {
  let text = ''
  socket.setEncoding('latin1')
  const closed = once(socket, 'close')
  const complete = new Promise<void>(resolve => {
    socket.on('data', chunk => {
      text += chunk
      const [head = '', body] = text.split('\r\n\r\n')
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? Number.NaN)
      if (body !== undefined && (withoutBody || body.length >= length)) resolve()
    })
  })
  await Promise.race([closed, complete])
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]
  return { status: status === undefined ? null : Number(status), text }
}

/** A connection on which the bytes are sent as they are. */
export const open = (port: number, bytes: string | Uint8Array): Socket => {
  const socket = connect(port, '127.0.0.1')
  // A server that hangs up while it is written to is what some of this is about.
  socket.on('error', () => {})
  socket.write(bytes)
  return socket
}

interface ExchangeOptions {
  /** For HEAD, whose answer announces a body that does not come. */
  readonly withoutBody?: boolean
  /** Hangs up when there is no answer by then; without it, the server is waited for. */
  readonly hangUpAfterMs?: number
}

/** Sends the bytes as they are, reads what comes back, and hangs up. */
export const exchange = async (
  port: number,
  bytes: string | Uint8Array,
  { withoutBody = false, hangUpAfterMs }: ExchangeOptions = {},
): Promise<RawAnswer> => {
  const socket = open(port, bytes)
  const timer = hangUpAfterMs === undefined ? undefined : setTimeout(() => socket.destroy(), hangUpAfterMs)
  try {
    return await readAnswer(socket, withoutBody)
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}
