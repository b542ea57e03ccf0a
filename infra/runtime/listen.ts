import type { Server } from 'node:http'
import { AssayError } from './errors.ts'

export interface Listening {
  readonly port: number
  /** Takes no further connection, lets the requests under way finish, and closes. */
  stop(): Promise<void>
}

/** Why a program cannot listen, for whoever starts it; `variables` say where. */
export const cannotListen = (host: string, port: number, variables = 'PORT or HOST'): AssayError =>
  new AssayError(
    'unavailable',
    `Port ${port} on ${host} cannot be listened on: another program has it, or it is not allowed. Set ${variables}.`,
  )

/** Listens with Node's server. Rejects with `unavailable` when the port is taken. */
export const listen = (
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    server.once('error', () => reject(cannotListen(host, port)))
    server.listen(port, host, () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        stop: () =>
          new Promise<void>(done => {
            server.close(() => done())
            server.closeIdleConnections()
          }),
      })
    })
  })
