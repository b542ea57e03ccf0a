import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { AssayError, codeOf } from '../runtime/errors.ts'

/** Everything listens here and nowhere else. */
export const HOST = '127.0.0.1'

const listen = async (port: number): Promise<Server> => {
  const server = createServer().listen(port, HOST)
  await once(server, 'listening')
  return server
}

const close = (server: Server): Promise<unknown> => once(server.close(), 'close')

/**
 * Below what systems give to outgoing connections. Whoever tries again and again to reach a port among those is once
 * given that very port, is connected to itself, and keeps it.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000

/**
 * Keeps other processes that choose ports by `freePorts` from choosing this one for as long as this process lives, also
 * while nobody listens on it: a stack's engines start late, and are stopped and started again. The name is an abstract
 * socket, which the system takes away with the process. Systems other than Linux have none: there a port can be chosen
 * twice.
 */
const reserve = async (port: number): Promise<void> => {
  if (process.platform !== 'linux') return
  const reservation = createServer().listen(`\0assay-port-${port}`)
  await once(reservation, 'listening')
  reservation.unref()
}

const choosePort = async (): Promise<number> => {
  const port = randomInt(FIRST_PORT, LAST_PORT + 1)
  try {
    await reserve(port)
    await close(await listen(port))
    return port
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') return choosePort()
    throw error
  }
}

/** Ports that nobody listens on, all different, and on Linux given to no other process while this one lives. */
export const freePorts = (count: number): Promise<readonly number[]> =>
  Promise.all(Array.from({ length: count }, choosePort))

/** Rejects with `conflict` when somebody listens on one of the ports, naming the variable that moves it. */
export const requireFreePorts = async (ports: Readonly<Record<string, number>>): Promise<void> => {
  for (const [variable, port] of Object.entries(ports)) {
    try {
      await close(await listen(port))
    } catch (error) {
      throw new AssayError(
        'conflict',
        `Port ${port} is in use by another program. Stop that one, or set ${variable} to a free port.`,
        { cause: error },
      )
    }
  }
}
