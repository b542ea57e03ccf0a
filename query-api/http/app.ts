import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import { Hono, type MiddlewareHandler } from 'hono'
import { except } from 'hono/combine'
import { cors } from 'hono/cors'
import { routePath } from 'hono/route'
import { NONCE, type SecureHeadersVariables, secureHeaders } from 'hono/secure-headers'
import { asAssayError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { parseTraceparent } from '../../infra/runtime/traces.ts'
import { beginSpan, withinSpan } from '../../infra/telemetry/spans.ts'
import { IDEMPOTENCY_KEY_HEADER, REQUEST_ID_HEADER } from '../../schemas/http/headers.ts'
import { signInAddress } from '../../schemas/http/sign-in.ts'
import { type Sessions, showsSession } from '../accounts/sessions.ts'
import type { Discovery } from '../discovery/discovery.ts'
import type { FilesApi } from '../files/files-api.ts'
import type { Call } from '../operations/call/contract.ts'
import { AssayError, type Operation } from '../operations/define.ts'
import { CALL_BODY } from '../operations/parts/body-limits.ts'
import { senderOf } from './body-budget.ts'
import { assertDeclared, type BodyDoor } from './body-door.ts'
import { loggingFailures, nameAnswer } from './failed-answers.ts'
import {
  accepts,
  answerPage,
  asksForPage,
  createPage,
  isAppAddress,
  isBehindSignIn,
  type Page,
  type WebApp,
} from './pages.ts'
import { notAllowed, problem } from './problem.ts'
import { objectIn } from './read-json.ts'
import { checkOrigin } from './requests.ts'

interface AppApiDependencies {
  readonly door: Pick<BodyDoor, 'json'>
  readonly call: Call
  readonly operations: ReadonlyMap<string, Operation>
  readonly sessions: Pick<Sessions, 'callerOf'>
  readonly origins: readonly string[]
}

/**
 * `POST /api/app/<operation>`: the body is the operation's input, the caller is the session's person, the answer is
 * `{data, meta}`.
 */
export const createAppApi =
  ({ door, call, operations, sessions, origins }: AppApiDependencies) =>
  async (request: Request, name: string): Promise<Response> => {
    try {
      checkOrigin(request.headers, origins)
      const operation = operations.get(name)
      if (!operation) throw new AssayError('not_found', `There is no operation ${name}. /api/openapi.json lists them.`)
      nameAnswer({ operation: operation.name })
      const limits = operation.body ?? CALL_BODY
      // A body with a declared length above the limit is refused before the database is asked for its sender.
      assertDeclared(request, limits)
      const caller = await sessions.callerOf(request.headers)
      const { value } = await door.json(request, senderOf(caller), limits)
      const input = inputIn(value)
      const idempotencyKey = request.headers.get(IDEMPOTENCY_KEY_HEADER)
      const answered = await call(operation, { caller, input, idempotencyKey })
      return await answerJson(answered, request.headers)
    } catch (error) {
      return problem(asAssayError(error))
    }
  }

/** Smaller answers fit into a packet or two. */
const COMPRESSED_FROM_CHARACTERS = 4096
/** A list of a hundred signals shrinks to a fifth; higher levels take longer than they save. */
const COMPRESSION_LEVEL = 1

const compress = promisify(gzip)

/** An answer for one person, compressed when that saves time on a slow line. */
const answerJson = async (answered: unknown, requestHeaders: Headers): Promise<Response> => {
  const text = JSON.stringify(answered)
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', vary: 'accept-encoding' }
  if (text.length < COMPRESSED_FROM_CHARACTERS || !accepts(requestHeaders, 'gzip'))
    return new Response(text, { headers })
  const body = await compress(text, { level: COMPRESSION_LEVEL })
  return new Response(new Uint8Array(body), { headers: { ...headers, 'content-encoding': 'gzip' } })
}

/** An empty body is an input without fields. */
const inputIn = (body: unknown = {}): Readonly<Record<string, unknown>> => {
  const input = objectIn(body)
  if (input !== null) return input
  throw new AssayError('invalid_input', 'The body must be a JSON object: the input of the operation.')
}

/** Replaces the id or name at the end of a path, because a span's name must have few values. */
const routeOf = (path: string): string => path.replace(/^(\/api\/(?:app|files\/exports))\/.+$/, '$1/:name')

/** Answers each request in the caller's trace or in a new one, whose id becomes the answer's request id. */
const traceRequests: MiddlewareHandler = async (context, next) => {
  const { method, path, raw } = context.req
  const name = `${method} ${routeOf(path)}`
  const span = beginSpan({ name, kind: 'server', parent: parseTraceparent(raw.headers.get('traceparent')) })
  await withinSpan(span, next)
  const { status, headers } = context.res
  headers.set(REQUEST_ID_HEADER, span.trace.traceId)
  span.end({ attributes: { 'http.response.status_code': status }, failed: status >= 500 ? String(status) : undefined })
}

/** Names the answer by its route's pattern, after the router has chosen it. */
const nameRoute: MiddlewareHandler = async (context, next) => {
  try {
    await next()
  } finally {
    nameAnswer({ route: routePath(context) })
  }
}

interface Dependencies {
  readonly mcp: (request: Request) => Promise<Response>
  readonly appApi: (request: Request, operation: string) => Promise<Response>
  readonly events: (request: Request) => Promise<Response>
  readonly files: FilesApi
  readonly accounts: (request: Request) => Promise<Response>
  readonly discovery: Discovery
  readonly webApp: WebApp
  /** The public site, whose pages may call with a key and read the documents from a browser; null without one. */
  readonly siteUrl: string | null
  readonly log: Pick<Logger, 'error'>
}

/** Cookies are not sent: these calls carry a key. */
const CORS = {
  allowMethods: ['GET', 'POST'],
  allowHeaders: [
    'authorization',
    'content-type',
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    IDEMPOTENCY_KEY_HEADER,
  ],
  exposeHeaders: ['retry-after', 'www-authenticate', REQUEST_ID_HEADER],
  maxAge: 600,
}

const SELF = ["'self'"]
const NONE = ["'none'"]

const SECURE = {
  referrerPolicy: 'same-origin',
  xFrameOptions: 'DENY',
  // The proxy in front of the service knows whether the service is reached over TLS.
  strictTransportSecurity: false,
}

/**
 * Headers of a file that pages load: rules for pages are in the page's own headers, and each file of the first load
 * would repeat them.
 */
const FILE_ALONE = {
  contentSecurityPolicy: { defaultSrc: NONE, frameAncestors: NONE },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
}

/** All paths of the query API in one web-standard handler, which never rejects, and its routes. */
export const createApp = ({ mcp, appApi, events, files, accounts, discovery, webApp, siteUrl, log }: Dependencies) => {
  const app = new Hono<{ Variables: SecureHeadersVariables }>()
  app.use(nameRoute)
  app.use('/api/*', traceRequests)
  // An answer that is no page may load nothing; without a nonce it is faster.
  app.use('/api/*', secureHeaders({ ...SECURE, contentSecurityPolicy: { defaultSrc: NONE, frameAncestors: NONE } }))
  app.use('/assets/*', secureHeaders(FILE_ALONE))
  app.use(
    except(
      ['/api/*', '/assets/*'],
      secureHeaders({
        ...SECURE,
        // Scripts come from our files alone; inline scripts do not run, so a sender's text cannot either. The app's
        // components make style elements, which need the nonce of the response.
        contentSecurityPolicy: {
          defaultSrc: NONE,
          scriptSrc: SELF,
          styleSrc: [...SELF, NONCE],
          imgSrc: [...SELF, 'data:'],
          fontSrc: SELF,
          connectSrc: SELF,
          manifestSrc: SELF,
          formAction: SELF,
          baseUri: NONE,
          frameAncestors: NONE,
        },
      }),
    ),
  )
  if (siteUrl !== null) {
    const origin = new URL(siteUrl).origin
    for (const path of ['/api/mcp', ...Object.keys(discovery)]) app.use(path, cors({ origin, ...CORS }))
  }
  app.all('/api/mcp', context => mcp(context.req.raw))
  app.get('/api/app/events', context => events(context.req.raw))
  app.post('/api/app/:operation', context => appApi(context.req.raw, context.req.param('operation')))
  app.post('/api/files/imports', context => files.upload(context.req.raw))
  app.get('/api/files/exports/:id', context => files.download(context.req.raw, context.req.param('id')))
  app.get('/api/files/audit-log', context => files.auditLog(context.req.raw))
  app.all('/api/auth/*', context => accounts(context.req.raw))
  for (const [path, document] of Object.entries(discovery)) {
    const page = writtenPage(document)
    app.get(path, context => answerPage(context.req.raw, page, 'public, max-age=300'))
  }
  app.get('/', context => context.redirect('/app'))
  // Requests that reach this line have another method.
  const reading = ['/', '/api/app/events', '/api/files/exports/:id', '/api/files/audit-log', ...Object.keys(discovery)]
  for (const path of reading) app.all(path, () => problem(notAllowed('GET, HEAD')))
  for (const path of ['/api/app/:operation', '/api/files/imports']) app.all(path, () => problem(notAllowed('POST')))
  app.get('*', context => {
    const { raw, path, url } = context.req
    const file = webApp.files(raw, path)
    if (file !== null) return file
    // Without a session the app would load only to send the person to sign in.
    if (isBehindSignIn(path) && !showsSession(raw.headers)) {
      context.header('cache-control', 'no-store')
      return context.redirect(signInAddress(`${path}${new URL(url).search}`))
    }
    const nonce = context.get('secureHeadersNonce')
    if (nonce === undefined) return context.notFound()
    if (isAppAddress(path)) return webApp.page(nonce, 200)
    // A person who mistyped an address gets the app's page; a program gets JSON.
    return asksForPage(raw.headers) ? webApp.page(nonce, 404) : context.notFound()
  })
  app.notFound(context => problem(new AssayError('not_found', `There is nothing at ${context.req.path}.`)))
  const failed = (thrown: unknown) => problem(asAssayError(thrown))
  app.onError(failed)
  // The router rethrows values that are no `Error`.
  const answer = async (request: Request) => {
    try {
      return await app.fetch(request)
    } catch (thrown) {
      return failed(thrown)
    }
  }
  return { fetch: loggingFailures(log, answer), routes: app.routes }
}

/** A document as JSON, written and compressed once. */
const writtenPage = (document: object): Page => {
  const json = new TextEncoder().encode(JSON.stringify(document))
  return createPage(json, 'application/json', { gzip: new Uint8Array(gzipSync(json)) })
}
