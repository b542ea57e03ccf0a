import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'

/** A handler on a port of this machine, for tests with clients that open connections of their own. */
export const serveForTests = async (handler: (request: Request) => Promise<Response>) => {
  const server = createServer(getRequestListener(handler))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return { origin: `http://localhost:${port}`, stop: () => server.close() }
}
