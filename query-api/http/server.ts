import { createServer } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { clientAddress } from '../../infra/runtime/addresses.ts'
import { type Listening, listen, type Probes } from '../../infra/runtime/listen.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'

interface ServerOptions {
  readonly host: string
  readonly port: number
  /** Header in which a proxy states the client's address; null without a proxy. */
  readonly clientAddressHeader: string | null
  readonly probes: Probes
  /** Answers every other path, with the client's address in `CLIENT_ADDRESS_HEADER`. */
  readonly handler: (request: Request) => Promise<Response>
}

/** The query API on Node's own server, as its own program. Rejects with `unavailable` when the port is taken. */
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
    // Replaces a value from the client.
    request.headers.set(
      CLIENT_ADDRESS_HEADER,
      clientAddress(() => incoming.socket.remoteAddress ?? '', forwarded),
    )
    return handler(request)
  }
  // The server below speaks HTTP/1 only, so the bindings are those of HTTP/1.
  const listener = getRequestListener((request, bindings) => answer(request, bindings as HttpBindings))
  return listen(createServer(listener), { host, port })
}

const isProbe = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'
