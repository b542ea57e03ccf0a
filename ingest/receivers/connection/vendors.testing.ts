import type { ConnectionMapping } from '../../../schemas/http/connection.ts'

interface Vendor {
  readonly vendor: string
  readonly mapping: ConnectionMapping
  /** In the shape that the vendor documents. */
  readonly body: object
  /** The signal's body beside its source. */
  readonly signal: Readonly<Record<string, unknown>>
}

/**
 * Events as vendors of webhooks document them, with values of our own, and where a connection finds a signal in them.
 */
export const VENDORS: readonly Vendor[] = [
  {
    vendor: 'OpenAI',
    mapping: { text: '/data/error/message', occurred_at: '/created_at', metadata: '/data' },
    body: {
      id: 'evt_68a1',
      object: 'event',
      created_at: 1795428000,
      type: 'response.failed',
      data: { id: 'resp_77', error: { message: 'The answer stopped in the middle of the table.' } },
    },
    signal: {
      text: 'The answer stopped in the middle of the table.',
      occurred_at: 1795428000,
      event: 'response.failed',
      metadata: { id: 'resp_77', error: { message: 'The answer stopped in the middle of the table.' } },
    },
  },
  {
    vendor: 'Stripe',
    mapping: {
      text: '/data/object/cancellation_details/comment',
      occurred_at: '/created',
      actor_email: '/data/object/customer_email',
      metadata: '/data/object/metadata',
    },
    body: {
      id: 'evt_1Q',
      object: 'event',
      api_version: '2025-09-30.clover',
      created: 1795427000,
      livemode: true,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type: 'customer.subscription.deleted',
      data: {
        object: {
          id: 'sub_9',
          object: 'subscription',
          customer_email: null,
          cancellation_details: { comment: 'Too dear for two people.', feedback: 'too_expensive', reason: null },
          metadata: { plan: 'team' },
        },
      },
    },
    signal: {
      text: 'Too dear for two people.',
      occurred_at: 1795427000,
      event: 'customer.subscription.deleted',
      metadata: { plan: 'team' },
    },
  },
  {
    vendor: 'Clerk',
    mapping: {
      text: '/data/public_metadata/goodbye',
      occurred_at: '/timestamp',
      actor_name: '/data/first_name',
      actor_email: '/data/email_addresses/0/email_address',
    },
    body: {
      data: {
        id: 'user_29',
        object: 'user',
        first_name: 'Noor',
        last_name: null,
        email_addresses: [{ id: 'idn_1', object: 'email_address', email_address: 'noor@example.com' }],
        public_metadata: { goodbye: 'I never found the calendar.' },
      },
      event_attributes: { http_request: { client_ip: '192.0.2.4', user_agent: 'Browser' } },
      instance_id: 'ins_1',
      object: 'event',
      timestamp: 1795426000000,
      type: 'user.updated',
    },
    signal: {
      text: 'I never found the calendar.',
      occurred_at: 1795426000000,
      actor_name: 'Noor',
      actor_email: 'noor@example.com',
      event: 'user.updated',
    },
  },
  {
    vendor: 'Resend',
    mapping: { text: '/data/bounce/message', occurred_at: '/data/created_at', actor_email: '/data/to/0' },
    body: {
      type: 'email.bounced',
      created_at: '2026-11-23T09:41:12.126Z',
      data: {
        broadcast_id: null,
        created_at: '2026-11-23 09:41:11.894719+00',
        email_id: '56761188',
        from: 'Acme <hello@example.com>',
        to: ['gone@example.com'],
        subject: 'Your invoice',
        bounce: { message: 'The mailbox does not take mail of this size.', type: 'Permanent', subType: 'General' },
      },
    },
    signal: {
      text: 'The mailbox does not take mail of this size.',
      occurred_at: '2026-11-23 09:41:11.894719+00',
      actor_email: 'gone@example.com',
      event: 'email.bounced',
    },
  },
  {
    vendor: 'Zendesk',
    mapping: {
      text: '/event/comment/body',
      occurred_at: '/time',
      actor_name: '/event/comment/author/name',
      source_url: '/event/comment/url',
    },
    body: {
      account_id: 22129848,
      detail: { actor_id: '8447388090494', id: '5158', subject: 'Help', status: 'OPEN', priority: null, tags: [] },
      event: {
        comment: { author: { id: '4541', is_staff: false, name: 'Sam' }, body: 'The import drops umlauts.', id: '45' },
        meta: { sequence: { id: '01F8', position: 1, total: 1 } },
      },
      event_version: '2022-11-06',
      id: 'cbe4028c-7239-495d-b020-f22348516046',
      subject: 'zen:ticket:5158',
      time: '2026-11-23T09:30:00.123456789Z',
      type: 'zen:event-type:ticket.comment_added',
    },
    signal: {
      text: 'The import drops umlauts.',
      occurred_at: '2026-11-23T09:30:00.123456789Z',
      actor_name: 'Sam',
      event: 'zen:event-type:ticket.comment_added',
    },
  },
  {
    vendor: 'Intercom',
    mapping: {
      text: '/data/item/conversation_parts/conversation_parts/0/body',
      occurred_at: '/data/item/conversation_parts/conversation_parts/0/created_at',
      actor_name: '/data/item/conversation_parts/conversation_parts/0/author/name',
      actor_email: '/data/item/conversation_parts/conversation_parts/0/author/email',
      source_url: '/data/item/links/conversation_web',
      event: '/topic',
    },
    body: {
      type: 'notification_event',
      app_id: 'a1b2',
      topic: 'conversation.user.replied',
      id: 'notif_5',
      delivery_attempts: 1,
      first_sent_at: 1795425600,
      created_at: 1795425600,
      self: null,
      data: {
        type: 'notification_event_data',
        item: {
          type: 'conversation',
          id: '147',
          links: { conversation_web: 'https://example.com/conversations/147' },
          conversation_parts: {
            type: 'conversation_part.list',
            total_count: 1,
            conversation_parts: [
              {
                type: 'conversation_part',
                part_type: 'comment',
                body: 'Since Monday the filters forget what I chose.',
                created_at: 1795425590,
                author: { type: 'user', id: '6', name: 'Ines', email: 'ines@example.com' },
              },
            ],
          },
        },
      },
    },
    signal: {
      text: 'Since Monday the filters forget what I chose.',
      occurred_at: 1795425590,
      actor_name: 'Ines',
      actor_email: 'ines@example.com',
      source_url: 'https://example.com/conversations/147',
      event: 'conversation.user.replied',
    },
  },
]
