import { createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Listening, listen } from '../../infra/runtime/listen.ts'

/** Addresses that take turns. */
export interface Upstreams {
  readonly ingest: readonly string[]
  readonly queryApi: readonly string[]
}

/**
 * What stands in front of the programs: the edge's paths to the edges, all others to the query APIs, as
 * infra/deploy/Caddyfile has it. A request is never repeated; an upstream that is not there is a 502.
 */
export const startProxy = (upstreams: () => Upstreams, port: number): Promise<Listening> => {
  let turn = 0
  const server = createServer(async (incoming, outgoing) => {
    // Read whole, as an upstream may answer before it has all of it.
    const body = await buffer(incoming)
    const { ingest, queryApi } = upstreams()
    const candidates = incoming.url?.startsWith('/api/webhooks/') ? ingest : queryApi
    turn += 1
    const upstream = new URL(candidates[turn % candidates.length] ?? 'http://127.0.0.1:1')
    const forwarded = request(
      {
        host: upstream.hostname,
        port: upstream.port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress },
      },
      answer => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    forwarded.once('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    forwarded.end(body)
  })
  return listen(server, { host: '127.0.0.1', port })
}
