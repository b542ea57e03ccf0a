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
 * Below what systems give to outgoing connections. Whoever tries again and again to reach a port among those is once given that very port,
 * is connected to itself, and keeps it.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000

interface Held {
  readonly port: number
  readonly server: Server
}

const holdSome = async (): Promise<Held> => {
  const port = randomInt(FIRST_PORT, LAST_PORT + 1)
  try {
    return { port, server: await listen(port) }
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') return holdSome()
    throw error
  }
}

/** Ports that nobody listens on, all different. */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const held = await Promise.all(Array.from({ length: count }, holdSome))
  await Promise.all(held.map(({ server }) => close(server)))
  return held.map(({ port }) => port)
}

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
