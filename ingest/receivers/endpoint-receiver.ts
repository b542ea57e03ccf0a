import { DESCRIPTIONS, type PostedKind, postedPath } from '../../model/sources/kinds/index.ts'
import type { CodeHost } from '../../schemas/domain/vocabulary.ts'
import { TEST_HEADER } from '../../schemas/http/headers.ts'
import type { Refusal } from '../answer.ts'
import { prove } from '../proof/prove.ts'
import type { EndpointReceiver, Taken, UnprovenRequest } from './receiver.ts'

interface OwnCode {
  /** Parses a request and keeps the needed fields. Other fields are dropped. */
  readonly receive: EndpointReceiver['receive']
  /** Null unless the kind is a code host. */
  readonly codeHost?: CodeHost
  /** The signed bytes where they are not the raw body. */
  readonly signed?: (request: UnprovenRequest) => Buffer
}

/**
 * The receiver of a kind of source, as `model/sources/kinds/` describes the kind. Requests are posted to the source's
 * own address.
 *
 * @example export const metricReceiver = endpointReceiver('metric', { receive })
 */
export const endpointReceiver = (kind: PostedKind, { receive, codeHost, signed }: OwnCode): EndpointReceiver => {
  const { contentTypes, maxBodyBytes, limit, proof } = DESCRIPTIONS[kind].intake
  return {
    takes: 'endpoint',
    name: kind,
    path: postedPath(kind, codeHost ?? null),
    contentTypes,
    maxBodyBytes,
    limit,
    serves: source => source.kind === kind && (codeHost === undefined || source.codeHost === codeHost),
    prove: request => prove(proof, request, signed),
    receive: request => (isTest(request) ? asTest(receive(request)) : receive(request)),
  }
}

const isTest = ({ headers }: UnprovenRequest): boolean => headers[TEST_HEADER]?.toLowerCase() === 'true'

/** Keeps only the signals of a test, marked as such: tests store no metric points and no activity. */
const asTest = (received: Taken | Refusal): Taken | Refusal =>
  received.kind === 'refusal'
    ? received
    : {
        ...received,
        drafts: received.drafts.flatMap(draft =>
          draft.what === 'signal' ? [{ ...draft, record: { ...draft.record, is_test: true } }] : [],
        ),
      }
