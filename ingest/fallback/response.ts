import type { HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { type ClientFlow, createFlow } from '../http/body-flow.ts'

/** Progress of a response. uWebSockets.js throws when a response is used after its end or after the client left. */
export interface ResponseState {
  /** Holds the client back until the response begins. */
  readonly flow: ClientFlow
  /** True until the response ends or the client leaves. */
  open(): boolean
  /** Call before anything is written. */
  begin(): void
  /** Call before the end is written. */
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

/** Headers of the connection itself, which the server sets. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'upgrade'])
const WITHOUT_BODY = new Set([204, 205, 304])

type Reader = ReadableStreamDefaultReader<Uint8Array>

interface Options {
  readonly head: boolean
  /** True to end the connection too; called when the response ends. */
  readonly close: () => boolean
}

/**
 * Writes a web-standard response. A body that is complete at once is sent whole; any other body is sent in chunks, at
 * the client's speed. When the body fails, the connection is cut, so that the client notices that the body is
 * incomplete.
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
 * Sends a whole body at the client's speed. uWebSockets.js reads the connection's next request when an answer has
 * ended, and copies the unsent rest. A client that sends requests without reading answers thus costs one answer of
 * memory, not thousands.
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
    // An absent length must not be passed on: uWebSockets.js would write a very large number.
    if (WITHOUT_BODY.has(response.status) || (head && length === null)) res.endWithoutBody()
    else if (head) res.endWithoutBody(Number(length), close())
    else res.end('', close())
  })
}

const writeHead = (res: HttpResponse, response: Response) => {
  res.writeStatus(`${response.status} ${response.statusText || STATUS_CODES[response.status] || ''}`)
  // The iterator yields each Set-Cookie alone, and every other header once.
  for (const [name, value] of response.headers) if (!OF_THE_CONNECTION.has(name)) res.writeHeader(name, value)
}

/** Writes the parts that were read already, then the rest; waits whenever the client's buffer is full. */
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
      // An empty chunk would end a chunked body.
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
