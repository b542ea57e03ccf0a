import type { MiddlewareHandler } from 'hono'
import { parseTraceparent } from '../../infra/runtime/traces.ts'
import { beginSpan, withinSpan } from '../../infra/telemetry/spans.ts'
import { REQUEST_ID_HEADER } from '../../schemas/http/headers.ts'

/** Paths whose last part is an id or a name; a span's name has few values. */
const routeOf = (path: string): string => path.replace(/^(\/api\/(?:app|files\/exports))\/.+$/, '$1/:name')

/** Answers each request in the caller's trace, or in one of its own, whose id is the request id of the answer. */
export const traceRequests: MiddlewareHandler = async (context, next) => {
  const { method, path, raw } = context.req
  const name = `${method} ${routeOf(path)}`
  const span = beginSpan({ name, kind: 'server', parent: parseTraceparent(raw.headers.get('traceparent')) })
  await withinSpan(span, next)
  const { status, headers } = context.res
  headers.set(REQUEST_ID_HEADER, span.trace.traceId)
  span.end({ attributes: { 'http.response.status_code': status }, failed: status >= 500 ? String(status) : undefined })
}
