import type { HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { Life } from './life.ts'

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
 * Writes a web-standard response. A body that is there at once goes out whole, any other as it comes, in chunks, no faster than the client
 * takes it. When the body fails half way the connection is cut, so that the client cannot take the part for the whole.
 */
export const writeResponse = async (res: HttpResponse, response: Response, life: Life, options: Options) => {
  const reader = response.body?.getReader()
  const cancel = () => void reader?.cancel().catch(() => {})
  life.signal.addEventListener('abort', cancel)
  if (options.head || WITHOUT_BODY.has(response.status)) {
    cancel()
    return endEmpty(res, response, life, options)
  }
  const first = await reader?.read()
  if (!reader || !first || first.done) return endEmpty(res, response, life, options)
  const second = reader.read()
  const whole = await Promise.race([second, setImmediate(null)]).catch(() => null)
  if (!life.open()) return
  if (whole?.done) {
    life.end()
    res.cork(() => {
      writeHead(res, response)
      res.end(first.value, options.close())
    })
    return
  }
  life.begin()
  res.cork(() => writeHead(res, response))
  await stream(res, [Promise.resolve(first), second], reader, life, options)
}

const endEmpty = (res: HttpResponse, response: Response, life: Life, { head, close }: Options) => {
  if (!life.open()) return
  life.end()
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
  life: Life,
  { close }: Options,
) => {
  let drained = Promise.withResolvers<void>()
  res.onWritable(() => {
    drained.resolve()
    return true
  })
  life.signal.addEventListener('abort', () => drained.resolve())
  try {
    for (;;) {
      const part = await (begun.shift() ?? reader.read())
      if (!life.open()) return
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
    life.end()
    res.cork(() => res.end('', close()))
  } catch (error) {
    if (life.open()) {
      life.end()
      res.close()
    }
    throw error
  }
}
