import type { HttpResponse } from 'uWebSockets.js'
import { type ClientFlow, createFlow } from '../http/flow.ts'

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
