import type { HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { type ClientFlow, createFlow } from '../http/body-flow.ts'

/** How far a response has come: uWebSockets.js throws when one is touched after its end or after the client left. */
export interface ResponseState {
  /** Holds the client back until the response begins. */
  readonly flow: ClientFlow
  /** True until the response ends or the client leaves. */
  open(): boolean
  /** To be called before anything is written. */
  begin(): void
  /** To be called before the end is written. */
  end(): void
  /** Aborted when the client leaves before the response's end. */
  readonly signal: AbortSignal
}

export const trackResponse = (res: HttpResponse): ResponseState => {
  const controller = new AbortController()
  const flow = createFlow(res)
  let open = true
  res.onAborted(() => {
    open = false
    flow.detach()
    controller.abort()
  })
  return {
    flow,
    open: () => open,
    begin: flow.release,
    end: () => {
      flow.release()
      open = false
    },
    signal: controller.signal,
  }
}

/** Headers that belong to the connection, which the server itself speaks for. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'upgrade'])
const WITHOUT_BODY = new Set([204, 205, 304])

type Reader = ReadableStreamDefaultReader<Uint8Array>

interface Options {
  readonly head: boolean
  /** Whether to end the connection, too; asked when the response ends. */
  readonly close: () => boolean
}

/**
 * Writes a web-standard response. A body that is there at once goes out whole, any other as it comes, in chunks, no
 * faster than the client takes it. When the body fails half way the connection is cut, so that the client cannot take
 * the part for the whole.
 */
export const writeResponse = async (
  res: HttpResponse,
  response: Response,
  responseState: ResponseState,
  options: Options,
) => {
  const reader = response.body?.getReader()
  const cancel = () => void reader?.cancel().catch(() => {})
  responseState.signal.addEventListener('abort', cancel)
  if (options.head || WITHOUT_BODY.has(response.status)) {
    cancel()
    return endEmpty(res, response, responseState, options)
  }
  const first = await reader?.read()
  if (!reader || !first || first.done) return endEmpty(res, response, responseState, options)
  const second = reader.read()
  const firstChunkOrAll = await Promise.race([second, setImmediate(null)]).catch(() => null)
  if (!responseState.open()) return
  if (firstChunkOrAll?.done) return endWhole(res, response, first.value, responseState, options)
  responseState.begin()
  res.cork(() => writeHead(res, response))
  await stream(res, [Promise.resolve(first), second], reader, responseState, options)
}

/**
 * Ends with a whole body as fast as its client takes it. uWebSockets.js reads the next request of a connection once an
 * answer has ended, and copies all of the answer that the client has not taken by then: of a client that sends requests
 * and takes no answer, one answer is kept, and not thousands.
 */
const endWhole = async (
  res: HttpResponse,
  response: Response,
  body: Uint8Array,
  responseState: ResponseState,
  { close }: Options,
): Promise<void> => {
  if (close()) {
    responseState.end()
    res.cork(() => {
      writeHead(res, response)
      res.end(body, true)
    })
    return
  }
  responseState.begin()
  const taken = Promise.withResolvers<void>()
  const goOn = (from: number): boolean => {
    const [isWritten, hasEnded] = res.tryEnd(body.subarray(from), body.byteLength)
    if (hasEnded) taken.resolve()
    return isWritten
  }
  responseState.signal.addEventListener('abort', () => taken.resolve())
  res.onWritable(goOn)
  res.cork(() => {
    writeHead(res, response)
    goOn(0)
  })
  await taken.promise
  if (responseState.open()) responseState.end()
}

const endEmpty = (res: HttpResponse, response: Response, responseState: ResponseState, { head, close }: Options) => {
  if (!responseState.open()) return
  responseState.end()
  const length = response.headers.get('content-length')
  res.cork(() => {
    writeHead(res, response)
    // An absent length must not be passed on: it would be written as a very large number.
    if (WITHOUT_BODY.has(response.status) || (head && length === null)) res.endWithoutBody()
    else if (head) res.endWithoutBody(Number(length), close())
    else res.end('', close())
  })
}

const writeHead = (res: HttpResponse, response: Response) => {
  res.writeStatus(`${response.status} ${response.statusText || STATUS_CODES[response.status] || ''}`)
  // Each Set-Cookie comes on its own here; no other header does.
  for (const [name, value] of response.headers) if (!OF_THE_CONNECTION.has(name)) res.writeHeader(name, value)
}

/** Writes the parts that were read already, then the rest, waiting whenever the client has enough to read. */
const stream = async (
  res: HttpResponse,
  begun: ReturnType<Reader['read']>[],
  reader: Reader,
  responseState: ResponseState,
  { close }: Options,
) => {
  let drained = Promise.withResolvers<void>()
  res.onWritable(() => {
    drained.resolve()
    return true
  })
  responseState.signal.addEventListener('abort', () => drained.resolve())
  try {
    for (;;) {
      const part = await (begun.shift() ?? reader.read())
      if (!responseState.open()) return
      if (part.done) break
      // An empty chunk is the end of a chunked body.
      if (part.value.byteLength === 0) continue
      drained = Promise.withResolvers<void>()
      let taken = true
      res.cork(() => {
        taken = res.write(part.value)
      })
      if (!taken) await drained.promise
    }
    responseState.end()
    res.cork(() => res.end('', close()))
  } catch (error) {
    if (responseState.open()) {
      responseState.end()
      res.close()
    }
    throw error
  }
}
