import type { HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js'
import { createServer } from 'node:net'
import { cannotListen } from '../../infra/runtime/listen.ts'
import { type BinarySettings, loadServer, type Native } from '../../infra/uws/load-server.ts'
import { type Answer, json, problem, send, unavailable } from '../answer.ts'
import { type RequestHead, readHead } from './head.ts'

interface Where extends BinarySettings {
  readonly host: string
  readonly port: number
  readonly clientAddressHeader: string | null
}

type Handler = (res: HttpResponse, head: RequestHead) => void

/** A port that this program holds while it starts. */
export interface ClaimedPort {
  readonly port: number
  /**
   * From now on `handler` answers. Before, `/livez` answers 200, and every other path says that the program is
   * starting.
   */
  serve(handler: Handler): void
  /** Accepts no further connection. */
  unlisten(): void
  /** Closes every connection. May be called again. */
  close(): void
}

const ALIVE = json({ status: 'ok', checks: {} })
const STARTING = { ...json({ status: 'starting', checks: {} }), status: 503 }
const NOT_YET = problem(unavailable('starting', 'This server is starting. Repeat the request.', 1))

/** For a browser: a page that reloads every 2 s. */
const SOON: Answer = {
  status: 503,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '1' },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2"><title>Assay is starting</title>
<p>Assay is starting. This page goes on by itself.</p></html>`,
}

/** The answer of a program that is starting. */
export const whileStarting = ({ method, path, headers }: Pick<RequestHead, 'method' | 'path' | 'headers'>): Answer => {
  if (method !== 'GET' && method !== 'HEAD') return NOT_YET
  if (path === '/livez') return ALIVE
  if (path === '/readyz') return STARTING
  return headers.accept?.includes('text/html') ? SOON : NOT_YET
}

/**
 * Listens at once, so that a second start on the same port ends before it touches data. Rejects with `unavailable` when
 * the port is taken, and as `loadServer` does.
 */
export const claimPort = async (where: Where): Promise<ClaimedPort> => {
  const native = await loadServer(where)
  let handler: Handler = (res, head) =>
    send(res, whileStarting(head), { head: head.method === 'HEAD', close: head.contentLength !== 0 })
  let isClosed = false
  const app = native.App()
  app.any('/*', (res, req) => handler(res, readHead(res, req, where.clientAddressHeader)))
  const socket = await listen(app, native, where)
  return {
    port: native.us_socket_local_port(socket),
    serve: next => {
      handler = next
    },
    unlisten: () => native.us_listen_socket_close(socket),
    close: () => {
      if (!isClosed) app.close()
      isClosed = true
    },
  }
}

/** The native server does not say why it cannot listen, so Node's server tries. Null when that could listen. */
const refusalAt = (host: string, port: number): Promise<Error | null> =>
  new Promise(resolve => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })

const listen = (app: TemplatedApp, native: Native, { host, port }: Where): Promise<us_listen_socket> => {
  const { promise, resolve, reject } = Promise.withResolvers<us_listen_socket>()
  const onListen = (socket: us_listen_socket | false) => {
    if (socket) return resolve(socket)
    void refusalAt(host, port).then(error => reject(cannotListen(error, { host, port })))
  }
  // The types have the option for an exclusive port only without a host; the implementation takes both.
  const exclusive = app as unknown as {
    listen(host: string, port: number, option: number, done: typeof onListen): void
  }
  exclusive.listen(host, port, native.LIBUS_LISTEN_EXCLUSIVE_PORT, onListen)
  return promise
}
