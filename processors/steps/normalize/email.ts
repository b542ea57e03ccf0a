import type { ProjectedMail } from '../../../schemas/http/email.ts'
import type { Reading } from './canonical.ts'

/** A mail: its subject as a heading, then the newest part of its thread. The parts that it quotes stay apart. */
export const readEmail = (body: ProjectedMail): Reading => ({
  text: [body.subject, body.text].filter(part => part !== '').join('\n\n'),
  event: null,
  source: 'email',
  source_url: null,
  actor_name: body.author.name,
  actor_email: body.author.email,
  signal_origin: 'customer',
  actor_role: body.automatic ? 'system' : 'user',
  occurred_at: body.occurred_at,
  metadata: {
    subject: body.subject,
    ...(body.thread === null ? {} : { thread: body.thread }),
    ...(body.quoted === '' ? {} : { quoted: body.quoted }),
    ...(body.forward === null ? {} : { forwarded_by: body.forward.by, note: body.forward.note }),
    ...(body.attachment_count === 0 ? {} : { attachments: body.attachments, attachment_count: body.attachment_count }),
    ...(body.automatic ? { automatic: true } : {}),
    ...(body.shortened ? { shortened: true } : {}),
  },
})
