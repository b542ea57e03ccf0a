import { DESCRIPTIONS, type PostedKind, postedPath } from '../../model/sources/kinds/index.ts'
import type { CodeHost } from '../../schemas/domain/vocabulary.ts'
import { TEST_HEADER } from '../../schemas/http/headers.ts'
import type { Refusal } from '../answer.ts'
import { prove } from '../proof/prove.ts'
import type { EndpointReceiver, Taken, UnprovenRequest } from './receiver.ts'

interface OwnCode {
  /** Parses and projects. What it leaves out of the drafts is gone. */
  readonly receive: EndpointReceiver['receive']
  /** Null, unless told, for a kind that is no code host. */
  readonly codeHost?: CodeHost
  /** What is signed, where it is not the body as it came. */
  readonly signed?: (request: UnprovenRequest) => Buffer
}

/**
 * The receiver of a kind of source as `model/sources/kinds/` describes it: a request is posted to a source's own
 * address.
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

/**
 * Of a test only signals go on, marked as one: a metric keeps no point of it, and a code host tells of nothing that was
 * done.
 */
const asTest = (received: Taken | Refusal): Taken | Refusal =>
  received.kind === 'refusal'
    ? received
    : {
        ...received,
        drafts: received.drafts.flatMap(draft =>
          draft.what === 'signal' ? [{ ...draft, record: { ...draft.record, is_test: true } }] : [],
        ),
      }
