import type { HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { cannotListen } from '../infra/runtime/listen.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { Probes } from '../infra/runtime/probes.ts'
import { loadServer, type Native } from '../infra/uws/load-server.ts'
import type { ByteBudget } from './append/byte-budget.ts'
import type { IngestSettings } from './config.ts'
import { type FetchHandler, serveFallback } from './fallback/serve.ts'
import { type Answer, problem, send } from './http/answer.ts'
import { type BodyPorts, type IncomingBody, receiveBody } from './http/body.ts'
import { checkFraming } from './http/framing.ts'
import { closesWith, type RequestHead, readHead } from './http/head.ts'
import { createPatience } from './http/patience.ts'
import type { Intake } from './intake/intake.ts'
import { refusal, unavailable } from './refusal.ts'
import { type FindRoute, OWN_PATHS } from './routes.ts'

export interface ServerPorts {
  readonly settings: Pick<
    IngestSettings,
    'host' | 'port' | 'clientAddressHeader' | 'stopTimeoutMs' | 'bodyTimeoutMs' | 'uwsBinary' | 'uwsBinarySha256'
  >
  readonly findRoute: FindRoute
  readonly intake: Intake
  readonly probes: Probes
  /** Takes every path that is not the edge's own; without one they are answered 404. */
  readonly fallback: FetchHandler | null
  readonly budget: ByteBudget
  readonly logger: Pick<Logger, 'error'>
}

export interface Server {
  readonly port: number
  /** Stops listening, lets the requests under way finish, and closes every connection. */
  stop(): Promise<void>
}

const NOT_FOUND = problem(refusal(404, 'not_found', 'There is nothing at this address.'))
const STOPPING = problem(unavailable('stopping', 'This server is about to stop. Repeat the request.', 1))

/** Listens. Rejects with `unavailable` when the port is taken, and as `loadServer` does. */
export const startServer = async (ports: ServerPorts): Promise<Server> => {
  const native = await loadServer(ports.settings)
  const underWay = new Set<Promise<void>>()
  const bodies = { budget: ports.budget, patience: createPatience({ totalMs: ports.settings.bodyTimeoutMs }) }
  let stopping = false

  const handle = (res: HttpResponse, head: RequestHead): Promise<void> => {
    const isStopping = () => stopping
    const without = (answer: () => Promise<Answer>) => whole(res, head, unread(res, bodies), answer, isStopping)
    if (stopping) return without(async () => STOPPING)
    const unclear = checkFraming(head)
    if (unclear) return without(async () => problem(unclear))
    const probe = isProbe(head) ? ports.probes.get(head.path) : undefined
    if (probe) return without(probe)
    const route = ports.findRoute(head.path)
    if (route) {
      const body = receiveBody(res, route.receiver.maxBodyBytes, bodies)
      return whole(res, head, body, () => ports.intake(route, head, body), isStopping)
    }
    const { fallback } = ports
    if (fallback && !head.path.startsWith(OWN_PATHS)) return serveFallback(res, head, fallback, ports.logger)
    return without(async () => NOT_FOUND)
  }

  const app = native.App()
  app.any('/*', (res, req) => {
    const work = handle(res, readHead(res, req, ports.settings.clientAddressHeader))
      .catch(error => ports.logger.error({ err: error }, 'an answer could not be written'))
      .finally(() => underWay.delete(work))
    underWay.add(work)
  })
  const socket = await listen(app, native, ports.settings)

  return {
    port: native.us_socket_local_port(socket),
    stop: async () => {
      stopping = true
      native.us_listen_socket_close(socket)
      await Promise.race([settled(underWay), sleep(ports.settings.stopTimeoutMs, undefined, { ref: false })])
      app.close()
      bodies.patience.stop()
    },
  }
}

const isProbe = ({ method }: RequestHead): boolean => method === 'GET' || method === 'HEAD'

/** The body of a request that is answered without it. */
const unread = (res: HttpResponse, bodies: BodyPorts): IncomingBody => {
  const body = receiveBody(res, 0, bodies)
  body.release()
  return body
}

const whole = async (
  res: HttpResponse,
  head: RequestHead,
  body: IncomingBody,
  work: () => Promise<Answer | null>,
  isStopping: () => boolean,
): Promise<void> => {
  const answer = await work()
  if (answer === null || body.aborted()) return
  const close = isStopping() || answer.closes === true || closesWith(head, body.ended())
  send(res, answer, { head: head.method === 'HEAD', close })
}

const settled = async (works: ReadonlySet<Promise<void>>): Promise<void> => {
  while (works.size > 0) await Promise.allSettled(works)
}

const listen = (
  app: TemplatedApp,
  native: Native,
  { host, port }: Pick<IngestSettings, 'host' | 'port'>,
): Promise<us_listen_socket> => {
  const { promise, resolve, reject } = Promise.withResolvers<us_listen_socket>()
  const onListen = (socket: us_listen_socket | false) => {
    if (socket) return resolve(socket)
    reject(cannotListen(host, port))
  }
  // The types know the option that keeps a second program from sharing the port only without a host; the code takes both.
  const exclusive = app as unknown as {
    listen(host: string, port: number, option: number, done: typeof onListen): void
  }
  exclusive.listen(host, port, native.LIBUS_LISTEN_EXCLUSIVE_PORT, onListen)
  return promise
}
