import { isAssayError } from '../../../infra/runtime/errors.ts'
import {
  type AutomaticMail,
  countAutomaticMail,
  listAutomaticMail,
} from '../../../model/dead-letters/automatic-mail.ts'
import type { SourceId } from '../../../schemas/domain/ids.ts'
import { ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { type Services, type Static, type Transaction, Type } from '../define.ts'
import { shortened } from '../parts/excerpt.ts'
import { instant, nullable } from '../parts/fields.ts'

const MAX_MAILS = 10
const MAX_CHARACTERS = 120

/** Automatic mail that a source sets aside, and why. */
export const AutomaticMails = Type.Object(
  {
    waiting: Type.Integer(),
    last_at: nullable(instant),
    kinds: Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer() })),
    items: Type.Array(
      Type.Object({
        signal_id: Type.String(),
        at: instant,
        kind: Type.String(),
        reason: nullable(ownText({ description: 'Why it is taken for automatic. Null while sealed.' })),
        subject: nullable(untrustedText()),
        sender: nullable(untrustedText({ description: 'Null where removing personal data left nothing.' })),
      }),
      { description: 'The newest 10. service_support mode pipeline with fault automatic lists all.' },
    ),
  },
  {
    description:
      'Mail that a program wrote: bounces, automatic replies. service_support mode replay with its signal_id makes one a Signal.',
  },
)

/** Subject and sender of a scrubbed mail; null when it is sealed or has neither. */
const shown = async ({ record }: AutomaticMail, readSignal: Services['readSignal']) => {
  const nothing = { subject: null, sender: null }
  if (record === null) return nothing
  try {
    const { content, scrubbed } = await readSignal(record)
    // A letter states whether it is sealed; a record that was never scrubbed stays hidden in any case.
    if (content === null || scrubbed === null) return nothing
    const { subject } = JSON.parse(content.metadata) as { readonly subject?: unknown }
    const sender = content.actor_name ?? content.actor_email
    return {
      subject: typeof subject === 'string' ? shortened(subject, MAX_CHARACTERS) : null,
      sender: sender === null ? null : shortened(sender, MAX_CHARACTERS),
    }
  } catch (error) {
    if (!isAssayError(error) || error.code !== 'invalid_input') throw error
    return nothing
  }
}

/** Present automatic mail of a source. */
export const readAutomaticMails = async (
  read: <T>(run: (transaction: Transaction) => Promise<T>) => Promise<T>,
  source: SourceId,
  readSignal: Services['readSignal'],
): Promise<Static<typeof AutomaticMails>> => {
  const { kinds, mails } = await read(async transaction => ({
    kinds: await countAutomaticMail(transaction, source),
    mails: await listAutomaticMail(transaction, source, MAX_MAILS),
  }))
  return {
    waiting: kinds.reduce((sum, kind) => sum + kind.mails, 0),
    last_at: mails[0]?.at.toISOString() ?? null,
    kinds: kinds.map(({ kind, mails: count }) => ({ kind, count })),
    items: await Promise.all(
      mails.map(async mail => ({
        signal_id: mail.signal_id,
        at: mail.at.toISOString(),
        kind: mail.kind,
        reason: mail.reason,
        ...(await shown(mail, readSignal)),
      })),
    ),
  }
}
