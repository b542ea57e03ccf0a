import { AUTOMATIC_MAILS, AUTOMATIC_SIGNS } from '../domain/automatic-mail.ts'
import { ACTOR_ROLES, CHANNELS, CLASSIFICATIONS, NEEDS, SIGNAL_ORIGINS } from '../domain/vocabulary.ts'
import type { AvroRecord } from './avro.ts'

/** `SignalRecord` in Avro. A new field needs a default, so that records of older programs stay readable. */
export const signalSchema = {
  type: 'record',
  name: 'Signal',
  namespace: 'assay.events',
  doc: 'A signal on its way through the pipeline.',
  fields: [
    {
      name: 'signal_id',
      type: 'string',
      doc: 'UUID. Derived where the sender gave a key, so that a retry is the same signal.',
    },
    { name: 'tenant_id', type: 'string', doc: 'UUID of the tenant that it belongs to.' },
    { name: 'workspace_id', type: 'string', doc: 'UUID of the workspace that it belongs to.' },
    {
      name: 'source_id',
      type: ['null', 'string'],
      default: null,
      doc: 'UUID of the source that it came in through; null when an agent captured it.',
    },
    {
      name: 'channel',
      type: { type: 'enum', name: 'Channel', symbols: CHANNELS },
      doc: 'The kind of door that it came in through.',
    },
    { name: 'received_at', type: 'long', doc: 'When the edge took it, milliseconds since the epoch.' },
    { name: 'is_test', type: 'boolean', default: false, doc: 'Sent to see whether a source works; it counts nowhere.' },
    {
      name: 'automatic',
      type: [
        'null',
        {
          type: 'record',
          name: 'Automatic',
          doc: 'Why a mail is taken for one that no person wrote.',
          fields: [
            {
              name: 'kind',
              type: { type: 'enum', name: 'AutomaticKind', symbols: AUTOMATIC_MAILS },
              doc: 'What it is.',
            },
            {
              name: 'sign',
              type: { type: 'enum', name: 'AutomaticSign', symbols: AUTOMATIC_SIGNS },
              doc: 'What of it says so.',
            },
          ],
        },
      ],
      default: null,
      doc: 'Set by the edge, taken away when somebody makes a signal of it.',
    },
    {
      name: 'received',
      type: [
        'null',
        {
          type: 'record',
          name: 'Received',
          doc: 'What the receiver projected out of the request. May hold personal data.',
          fields: [
            {
              name: 'format',
              type: {
                type: 'enum',
                name: 'Format',
                symbols: ['signal', 'push', 'pull_request', 'release', 'deployment', 'email'],
              },
              doc: 'The shape of `body`.',
            },
            { name: 'body', type: 'string', doc: 'JSON.' },
          ],
        },
      ],
      default: null,
      doc: 'Set by the edge, taken away by normalize.',
    },
    {
      name: 'content',
      type: [
        'null',
        {
          type: 'record',
          name: 'Content',
          doc: 'The canonical signal. Before scrub it may hold personal data.',
          fields: [
            { name: 'text', type: 'string', doc: 'What was said.' },
            {
              name: 'text_hash',
              type: 'string',
              doc: 'SHA-256 (hex) of the text, case folded, white space collapsed.',
            },
            {
              name: 'event',
              type: ['null', 'string'],
              default: null,
              doc: "The sender's hint at the business meaning.",
            },
            { name: 'source', type: ['null', 'string'], default: null, doc: "The sender's label." },
            { name: 'source_url', type: ['null', 'string'], default: null, doc: 'Link to the original item.' },
            { name: 'actor_name', type: ['null', 'string'], default: null, doc: 'Who said it.' },
            {
              name: 'actor_email',
              type: ['null', 'string'],
              default: null,
              doc: 'Their address; a placeholder after scrub.',
            },
            {
              name: 'actor_key',
              type: ['null', 'string'],
              default: null,
              doc: "Keyed HMAC of the actor's address, made by scrub.",
            },
            {
              name: 'signal_origin',
              type: { type: 'enum', name: 'SignalOrigin', symbols: SIGNAL_ORIGINS },
              doc: 'Where the signal has its origin.',
            },
            {
              name: 'actor_role',
              type: { type: 'enum', name: 'ActorRole', symbols: ACTOR_ROLES },
              doc: 'What the actor is to the product.',
            },
            {
              name: 'occurred_at',
              type: ['null', 'long'],
              default: null,
              doc: 'Milliseconds since the epoch; null when the sender did not say.',
            },
            { name: 'metadata', type: 'string', doc: 'A JSON object.' },
            {
              name: 'cut_signature',
              type: ['null', 'string'],
              default: null,
              doc: 'What is not in the text of a mail, since it was taken for a signature.',
            },
            {
              name: 'cut_quoted',
              type: ['null', 'string'],
              default: null,
              doc: 'The same: since it was taken for what others wrote before.',
            },
            {
              name: 'cut_footer',
              type: ['null', 'string'],
              default: null,
              doc: 'The same: since it was taken for what a program or a company puts below each mail.',
            },
            {
              name: 'cut_omitted',
              type: ['null', 'long'],
              default: null,
              doc: 'How many characters of these were too many to keep; null when all were kept.',
            },
          ],
        },
      ],
      default: null,
      doc: 'Set by normalize, cleaned by scrub.',
    },
    {
      name: 'scrubbed',
      type: [
        'null',
        {
          type: 'record',
          name: 'Scrubbed',
          doc: 'What scrub did.',
          fields: [
            { name: 'version', type: 'string', doc: 'The version of the rules.' },
            {
              name: 'replaced',
              type: { type: 'map', values: 'long' },
              doc: 'How many values of each kind were replaced.',
            },
          ],
        },
      ],
      default: null,
      doc: 'Set by scrub.',
    },
    {
      name: 'embedding',
      type: [
        'null',
        {
          type: 'record',
          name: 'Embedding',
          doc: "The text's place among all texts.",
          fields: [
            {
              name: 'model',
              type: 'string',
              doc: 'The model that made the vector. Vectors of two models are never compared.',
            },
            { name: 'vector', type: 'bytes', doc: '1024 float32, little endian, of length 1.' },
            {
              name: 'own_text',
              type: 'int',
              default: 0,
              doc: 'Hash of the part of the text that was embedded; 0 for the whole text.',
            },
          ],
        },
      ],
      default: null,
      doc: 'Set by embed.',
    },
    {
      name: 'anchor',
      type: [
        'null',
        {
          type: 'record',
          name: 'Anchor',
          doc: 'The nearest node of the product map.',
          fields: [
            {
              name: 'node_id',
              type: ['null', 'string'],
              default: null,
              doc: 'UUID; null when no node is near enough.',
            },
            {
              name: 'score',
              type: ['null', 'double'],
              default: null,
              doc: 'Cosine to the nearest node; null when there is none.',
            },
          ],
        },
      ],
      default: null,
      doc: 'Set by anchor.',
    },
    {
      name: 'deduplication',
      type: [
        'null',
        {
          type: 'record',
          name: 'Deduplication',
          doc: 'No original was found.',
          fields: [
            { name: 'checked_through', type: 'long', doc: "The last place of the workspace's vectors that dedup saw." },
          ],
        },
      ],
      default: null,
      doc: 'Set by dedup.',
    },
    {
      name: 'classification',
      type: [
        'null',
        {
          type: 'record',
          name: 'Classified',
          doc: 'What kind of evidence it is.',
          fields: [
            {
              name: 'label',
              type: { type: 'enum', name: 'Classification', symbols: CLASSIFICATIONS },
              doc: 'The kind.',
            },
            { name: 'confidence', type: 'double', doc: '0 to 1.' },
            { name: 'version', type: 'string', doc: 'The version of the classifier.' },
            {
              name: 'perhaps',
              type: ['null', { type: 'enum', name: 'Need', symbols: NEEDS }],
              default: null,
              doc: 'The need that an unclassified signal likely speaks of; null where it likely speaks of none.',
            },
          ],
        },
      ],
      default: null,
      doc: 'Set by classify.',
    },
    {
      name: 'insertion',
      type: [
        'null',
        {
          type: 'record',
          name: 'Insertion',
          doc: 'The row that the signal became.',
          fields: [{ name: 'number', type: 'long', doc: 'The N of `SIG-N`.' }],
        },
      ],
      default: null,
      doc: 'Set by insert.',
    },
  ],
} as const satisfies AvroRecord
