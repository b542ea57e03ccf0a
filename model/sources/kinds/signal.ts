import { SignalBody } from '../../../schemas/http/signal.ts'
import { type PostedIntake, RELAYED, type SourceKindDescription } from './kind.ts'

/** The generic signal webhook. */
export const signal: SourceKindDescription<PostedIntake> = {
  intake: {
    reachedBy: 'post',
    segment: () => 'custom',
    contentTypes: ['application/json'],
    maxBodyBytes: 768 * 1024,
    limit: { requests: 100, seconds: 60 },
    proof: { scheme: 'hmac', header: 'X-Service-Signature' },
    headers: [
      {
        name: 'X-Idempotency-Key',
        description:
          'The sender’s own key: the same text by the same person under it is one signal, however often it is sent. Another text is a signal of its own.',
        required: false,
      },
    ],
    body: SignalBody,
    answer: { properties: { snippet_id: { type: 'string', format: 'uuid' } }, required: ['snippet_id'] },
    operation: {
      id: 'receive_signal',
      summary: 'Send a signal',
      description:
        'X-Idempotency-Key makes repeated requests one signal. null in an optional field is as good as leaving it out.',
    },
    example: ({ text }) => ({ headers: {}, body: JSON.stringify({ text, source: 'first-try' }) }),
    expectedResponse: '200 with {"ok": true} and a snippet_id: service_support mode signal with that id shows its way.',
  },
  createdBy: 'person',
  oneOnly:
    'This workspace has its signal webhook already: senders share it and tell themselves apart by "source". Delete it first to get a new address and secret.',
  connectables: [
    {
      code_host: null,
      title: 'Signal webhook',
      accepts:
        'Programs that post feedback as JSON with an HMAC of the body; all senders share the one webhook of the workspace.',
      words: `signal feedback hmac custom backend server ${RELAYED}`,
      steps: [
        'Post each signal as JSON to the URL, with the signature of the raw body in X-Service-Signature.',
        'Senders share the one signal webhook and tell themselves apart by the field "source".',
      ],
    },
  ],
  form: {
    label: 'Signal webhook',
    about: 'Any program posts signals to it as JSON, signed. A workspace has one; senders share it.',
    icon: 'webhook',
    exampleName: 'Support desk',
    fields: [],
  },
}
