import { ConnectionBody, type ConnectionSettings } from '../../../schemas/http/connection.ts'
import { type PostedIntake, RELAYED, type SourceKindDescription } from './kind.ts'

/** A source that an agent connected. Its sender uses Standard Webhooks. */
export const connection: SourceKindDescription<PostedIntake> = {
  intake: {
    reachedBy: 'post',
    segment: () => 'connections',
    contentTypes: ['application/json'],
    maxBodyBytes: 1024 * 1024,
    limit: { requests: 500, seconds: 60 },
    proof: { scheme: 'standard_webhooks' },
    headers: [],
    body: ConnectionBody,
    answer: { properties: { snippet_id: { type: 'string', format: 'uuid' } }, required: ['snippet_id'] },
    operation: {
      id: 'receive_connection_event',
      summary: 'Send an event of a connected source',
      description:
        'Proven by Standard Webhooks, under its names of headers or Svix’s. data is a signal body; or the body has a shape of its sender’s own, and the connection’s JSON pointers say where in it the signal’s fields are. Without a time in the body the signal has that of the webhook-timestamp header.',
    },
    example: ({ settings, text, at }) => ({ headers: {}, body: JSON.stringify(exampleBody(settings, text, at)) }),
    expectedResponse: '200 with {"ok": true} and a snippet_id: service_support mode signal with that id shows its way.',
  },
  createdBy: 'agent',
  oneOnly: null,
  connectables: [
    {
      code_host: null,
      title: 'Connection (Standard Webhooks)',
      accepts:
        'Whatever signs by Standard Webhooks or sends by Svix, or an automation or a small program that does so with its library on behalf of another tool. settings.mapping finds a Signal’s fields in foreign JSON.',
      words: `standard webhooks svix signed event ${RELAYED}`,
      steps: [
        'Give the URL and the secret to whatever sends Standard Webhooks. Where a vendor has a secret already (whsec_…), create the connection with it.',
        'Its data is a signal ({"text": …}), unless a mapping says where a signal’s fields are.',
      ],
    },
  ],
  form: {
    label: 'Connection',
    about: 'Anything that sends Standard Webhooks. A mapping says where a signal’s fields are in it.',
    icon: 'plug',
    exampleName: 'Survey tool',
    fields: ['mapping'],
  },
}

const exampleBody = ({ mapping }: ConnectionSettings, text: string, at: Date): object => {
  const envelope = { type: 'feedback.created', timestamp: at.toISOString() }
  if (mapping === undefined) return { ...envelope, data: { text, source: 'first-try' } }
  const names = mapping.text.split('/').slice(1).map(unescaped)
  // `fromEntries` also makes an own property of `__proto__`.
  const placed = names.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), text)
  return { ...envelope, data: {}, ...(placed as object) }
}

/** RFC 6901 section 4. */
const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')
