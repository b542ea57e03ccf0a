import type { IncomingBody } from '../http/body.ts'
import type { RequestHead } from '../http/head.ts'
import type { Source } from '../registry/source.ts'
import type { Outcome } from './outcome.ts'

/** What can be said of a request by its head alone. */
export interface ReceiverInfo {
  /** Its name in the metrics. */
  readonly name: string
  readonly contentTypes: readonly string[]
  readonly maxBodyBytes: number
}

/** What becomes of a request whose head is right. Tells each source that it is for as soon as it is known. */
export type ReceiverHandler = (
  head: RequestHead,
  body: IncomingBody,
  onSourceFound: (source: Source) => void,
) => Promise<Outcome>

/** Where a path leads. */
export interface Route {
  readonly receiver: ReceiverInfo
  readonly handle: ReceiverHandler
}
