import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import kafkajs from 'kafkajs'
import { SignalBody } from '../../schemas/http/signal.ts'
import { isSigned, isWithinLimit, loadEndpoints } from './checks.ts'

/** As the edge lets records wait for company, unless told otherwise (INGEST_LINGER). */
const LINGER_MS = 5

/** Lets calls of a few milliseconds share one `send`; each resolves with the batch that it is in. */
const createBatcher = <Message>(
  send: (messages: Message[]) => Promise<void>,
): ((message: Message) => Promise<void>) => {
  let waiting: { readonly messages: Message[]; readonly sent: Promise<void> } | null = null
  return message => {
    if (waiting === null) {
      const messages: Message[] = []
      const sent = new Promise<void>((resolve, reject) => {
        setTimeout(() => {
          waiting = null
          send(messages).then(resolve, reject)
        }, LINGER_MS)
      })
      waiting = { messages, sent }
    }
    waiting.messages.push(message)
    return waiting.sent
  }
}

/**
 * What a user of Fastify and kafkajs would write for the signal webhook, with the checks that the edge makes: signature
 * on the raw body, limit, JSON, schema, then one awaited `send` a request. With `batched`, requests of a few
 * milliseconds share a `send`, as they do at the edge.
 */
const [mode = 'single', targetsFile = '', brokers = ''] = process.argv.slice(2)
const TOPIC = 'bench.peer'

const kafka = new kafkajs.Kafka({ brokers: brokers.split(','), logLevel: kafkajs.logLevel.ERROR })
const admin = kafka.admin()
await admin.connect()
await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: 4 }], waitForLeaders: true })
await admin.disconnect()
const producer = kafka.producer({ allowAutoTopicCreation: false })
await producer.connect()

const sendOne = async (message: kafkajs.Message): Promise<void> => {
  await producer.send({ topic: TOPIC, acks: -1, messages: [message] })
}
const send =
  mode === 'batched'
    ? createBatcher(async (messages: kafkajs.Message[]) => {
        await producer.send({ topic: TOPIC, acks: -1, messages })
      })
    : sendOne

const endpoints = loadEndpoints(targetsFile)
const app = Fastify({ bodyLimit: 768 * 1024 })

declare module 'fastify' {
  interface FastifyRequest {
    rawBody: Buffer
  }
}
app.decorateRequest('rawBody')
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
  request.rawBody = body
  try {
    done(null, JSON.parse(body.toString()))
  } catch (error) {
    done(error instanceof Error ? error : new Error('invalid JSON'))
  }
})

app.post<{ Params: { id: string }; Body: SignalBody }>(
  '/api/webhooks/custom/:id',
  { schema: { body: SignalBody } },
  async (request, reply) => {
    const { id } = request.params
    const secret = endpoints.get(id)
    if (secret === undefined) return reply.code(404).send({ ok: false })
    const signature = request.headers['x-service-signature']
    if (!isSigned(request.rawBody, String(signature), secret)) return reply.code(401).send({ ok: false })
    if (!(await isWithinLimit(id))) return reply.code(429).send({ ok: false })
    const snippetId = randomUUID()
    await send({ key: snippetId, value: JSON.stringify({ id: snippetId, source: id, body: request.body }) })
    return { ok: true, snippet_id: snippetId }
  },
)
app.get('/cpu', async () => process.cpuUsage())

console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
