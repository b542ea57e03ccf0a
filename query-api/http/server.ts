import { createServer } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { clientAddress } from '../../infra/runtime/addresses.ts'
import { type Listening, listen, type Probes } from '../../infra/runtime/listen.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'

interface ServerOptions {
  readonly host: string
  readonly port: number
  /** Where a proxy says who the client is; null without one. */
  readonly clientAddressHeader: string | null
  readonly probes: Probes
  /** Takes every other path, with the client's address in `CLIENT_ADDRESS_HEADER`. */
  readonly handler: (request: Request) => Promise<Response>
}

/**
 * The query API on Node's own server, for when it is a program of its own. Rejects with `unavailable` when the port is
 * taken.
 */
export const startServer = ({
  host,
  port,
  clientAddressHeader,
  probes,
  handler,
}: ServerOptions): Promise<Listening> => {
  const answer = async (request: Request, { incoming }: HttpBindings): Promise<Response> => {
    const probe = isProbe(request) ? probes.get(new URL(request.url).pathname) : undefined
    if (probe !== undefined) {
      const { status, headers, body } = await probe()
      return new Response(body, { status, headers })
    }
    const forwarded = clientAddressHeader === null ? undefined : (request.headers.get(clientAddressHeader) ?? undefined)
    // Whatever a client wrote there itself goes.
    request.headers.set(
      CLIENT_ADDRESS_HEADER,
      clientAddress(() => incoming.socket.remoteAddress ?? '', forwarded),
    )
    return handler(request)
  }
  // The bindings are HTTP/1's: the server below speaks nothing else.
  const listener = getRequestListener((request, bindings) => answer(request, bindings as HttpBindings))
  return listen(createServer(listener), { host, port })
}

const isProbe = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'
