import { examplesOf } from '../../support/github-examples.ts'
import type { Garden, Planted } from './planted.ts'

export const base64 = (text: string): string => Buffer.from(text).toString('base64')
const twice = (text: string): string => encodeURIComponent(encodeURIComponent(text))
const unicodeEscaped = (text: string): string => text.replaceAll('@', '\\u0040').replaceAll('.', '\\u002e')

/** A signal's body with personal data in every field, in every way that senders write it. */
export const bodyWith = (data: Planted, text: string): object => {
  const { email, phone, card, nationalId, ipv4, ipv6, words } = data
  return {
    text,
    source: `chat with ${email}`,
    source_url: `https://desk.example/u/${encodeURIComponent(email)}/${encodeURIComponent(phone)}?to=${twice(email)}&card=${encodeURIComponent(card)}&ip=${ipv4}&token=${base64(email)}#${encodeURIComponent(ipv6)}`,
    actor_name: `Somebody <${email}>`,
    actor_email: email.toUpperCase(),
    event: `mail.${email}`,
    metadata: {
      [email]: 1,
      [twice(email)]: 2,
      [`call ${phone}`]: { [card]: { ssn: nationalId } },
      nested: { list: [[{ contact: words }], [email.toUpperCase()]] },
      json: JSON.stringify({ mail: email, phone, card: { number: card }, ssn: nationalId, ip: ipv4 }),
      escaped: unicodeEscaped(email),
      encoded: encodeURIComponent(words),
      base64: base64(email),
      ssn: Number(nationalId.replaceAll('-', '')),
      card: Number(card.replaceAll(' ', '')),
      addresses: [ipv4, ipv6.toUpperCase()],
    },
  }
}

/** A mail with personal data of its own in each of its parts. */
export const mailWith = (plant: Garden['plant'], to: string): Buffer => {
  const parts = ['from', 'cc', 'subject', 'quoted', 'signature', 'attachment']
  const [from, cc, subject, quoted, signature, attachment] = parts.map(part => plant(`mail-${part}`))
  const body = plant('mail-text')
  const lines = [
    `From: "Somebody" <${from?.email}>`,
    `To: ${to}`,
    `Cc: <${cc?.email}>`,
    `Reply-To: <${from?.email}>`,
    `Subject: The invoice never reached ${subject?.email} or ${subject?.phone}`,
    'Message-ID: <first@example.org>',
    'Date: Tue, 4 Mar 2025 11:30:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=cut',
    '',
    '--cut',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `The invoice never came. ${body.words}`,
    '',
    `On Tue, 4 Mar 2025 at 10:12, The Desk <${quoted?.email}> wrote:`,
    `> Please say who you are. ${quoted?.words}`,
    '',
    '-- ',
    'Somebody',
    `${signature?.words}`,
    '',
    '--cut',
    `Content-Type: image/png; name="${attachment?.email}.png"`,
    `Content-Disposition: attachment; filename="${attachment?.email}.png"`,
    'Content-Transfer-Encoding: base64',
    '',
    'iVBORw0KGgo=',
    '--cut--',
    '',
  ]
  return Buffer.from(lines.join('\r\n'))
}

/** A code host's payload with the person who acts, and what they wrote, replaced. */
export const eventWith = (
  event: string,
  data: Planted,
  isWanted: (payload: Record<string, unknown>) => boolean,
): object => {
  // The published payloads have a type for each event; this replaces values by the names that all of them use.
  const payload = examplesOf(event).find(example => isWanted(example as Record<string, unknown>))
  const text = JSON.stringify(payload, (key, value) => {
    if (key === 'email' && typeof value === 'string') return data.email
    if (['message', 'body', 'title', 'description'].includes(key) && (value === null || typeof value === 'string')) {
      return `${data.words} (${key})`
    }
    return value
  })
  return JSON.parse(text)
}
