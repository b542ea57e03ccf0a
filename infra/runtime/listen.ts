import type { Server, ServerResponse } from 'node:http'
import { AssayError } from './errors.ts'

export interface Listening {
  readonly port: number
  /** Takes no further connection, lets the requests under way finish, and closes. */
  stop(): Promise<void>
}

interface ListenOptions {
  readonly host: string
  readonly port: number
  /** The settings that say where. */
  readonly variables?: string
  /** How long requests under way may take once it is to stop. Default 15 s. */
  readonly stopTimeoutMs?: number
}

/** Why a program cannot listen, for whoever starts it; `variables` say where. */
export const cannotListen = (host: string, port: number, variables = 'PORT or HOST'): AssayError =>
  new AssayError(
    'unavailable',
    `Port ${port} on ${host} cannot be listened on: another program has it, or it is not allowed. Set ${variables}.`,
  )

/** What is still under way then is cut off, so that a program ends within the 25 s that it promises. */
const TIMEOUT_MS = 15_000

/**
 * Stops a server whose clients keep their connections: one that asks again and again over the same would keep it for
 * ever, as Node closes only those that are idle at that moment. From now on each answer is the last of its connection.
 */
const stopServing = (server: Server, underWay: ReadonlySet<ServerResponse>, stopTimeoutMs: number): Promise<void> =>
  new Promise(done => {
    const lastAnswer = (response: ServerResponse) => {
      if (!response.headersSent) response.setHeader('connection', 'close')
      response.once('close', () => response.req.socket.end())
    }
    const forceClose = setTimeout(() => server.closeAllConnections(), stopTimeoutMs)
    server.prependListener('request', (_request, response) => lastAnswer(response))
    for (const response of underWay) lastAnswer(response)
    server.close(() => {
      clearTimeout(forceClose)
      done()
    })
    server.closeIdleConnections()
  })

/**
 * Listens with Node's server. Rejects with `unavailable` when the port is taken; `variables` say what else to set then.
 */
export const listen = (
  server: Server,
  { host, port, variables, stopTimeoutMs = TIMEOUT_MS }: ListenOptions,
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const underWay = new Set<ServerResponse>()
    server.prependListener('request', (_request, response) => {
      underWay.add(response)
      response.once('close', () => underWay.delete(response))
    })
    server.once('error', () => reject(cannotListen(host, port, variables)))
    server.listen(port, host, () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        stop: () => stopServing(server, underWay, stopTimeoutMs),
      })
    })
  })
