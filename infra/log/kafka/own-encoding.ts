import type { Message } from 'kafkajs'
// kafkajs ended in 2023 with 2.2.4, which package.json pins: its inner files do not move any more.
import Broker from 'kafkajs/src/broker/index.js'
import { encodeProduce, type ProducedMessage, type ProduceFields } from './produce-request.ts'

const PRODUCE = 0
/** Versions whose request has the same form; a broker that takes none of them gets what kafkajs writes. */
const VERSIONS = { from: 3, to: 8 } as const

const isOurs = (message: Message): message is Message & ProducedMessage =>
  message.timestamp === undefined &&
  Buffer.isBuffer(message.value) &&
  (message.key === null || typeof message.key === 'string') &&
  Object.values(message.headers ?? { absent: null }).every(value => typeof value === 'string')

/** Whether a request has nothing but what `encodeProduce` writes: no compression, no transaction, no times of its own. */
const isPlain = ({ compression = 0, transactionalId, topicData }: BrokerProduce): boolean =>
  compression === 0 &&
  transactionalId === undefined &&
  topicData.every(({ partitions }) => partitions.every(({ messages }) => messages.every(isOurs)))

type BrokerProduce = ProduceFields & { readonly compression?: number; readonly transactionalId?: string }

/** The request that kafkajs has made, whose body is written here once it is to be sent. */
const withOwnBody = (made: ProduceProtocol, fields: BrokerProduce): ProduceProtocol => {
  const { apiVersion } = made.request
  if (apiVersion < VERSIONS.from || apiVersion > VERSIONS.to || !isPlain(fields)) return made
  const encode = async () => {
    const body = encodeProduce(fields, Date.now())
    // What kafkajs asks of its own encoder when it puts the request's head before it.
    return { buf: body, buffer: body }
  }
  return { ...made, request: { ...made.request, encode } }
}

interface ProduceProtocol {
  readonly request: { readonly apiVersion: number; readonly encode: () => Promise<unknown> }
  readonly response: unknown
}

let isInstalled = false

/**
 * Has every kafkajs client of this process write the bodies of Produce requests as `encodeProduce` does. Which records go out, their
 * sequence numbers, retries and errors stay with kafkajs; a test holds both bodies to the same bytes.
 */
export const useOwnEncoding = (): void => {
  if (isInstalled) return
  isInstalled = true
  const { produce } = Broker.prototype
  Broker.prototype.produce = function (fields) {
    const { lookupRequest } = this
    // Of this broker, for the moment in which kafkajs looks the request up: it does so before it waits for anything.
    this.lookupRequest = (key, versions) => {
      const make = lookupRequest(key, versions)
      return key === PRODUCE ? given => withOwnBody(make(given), given) : make
    }
    try {
      return produce.call(this, fields)
    } finally {
      this.lookupRequest = lookupRequest
    }
  }
}
