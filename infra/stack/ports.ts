import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { AssayError } from '../runtime/errors.ts'

/** Everything listens here and nowhere else. */
export const HOST = '127.0.0.1'

const listen = async (port: number): Promise<Server> => {
  const server = createServer().listen(port, HOST)
  await once(server, 'listening')
  return server
}

const close = (server: Server): Promise<unknown> => once(server.close(), 'close')

/** Ports that nobody listens on, all different. */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)))
  // A server that listens on a host and port has an address of this kind.
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  await Promise.all(servers.map(close))
  return ports
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
