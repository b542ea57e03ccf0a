import { examplesOf } from '../support/github-examples.ts'
import { postMail } from '../support/mail.ts'
import type { CreatedSource } from '../support/person.ts'
import { post, type SenderAnswer, sign, webhookHeaders } from '../support/sender.ts'

let sent = 0
const nextId = (): string => {
  sent += 1
  return `contract-${process.pid}-${sent}`
}

/** Delivers an event as GitHub does; headers given replace the right ones. */
export const deliverEvent = (
  { url, secret }: Pick<CreatedSource, 'url' | 'secret'>,
  event: string,
  payload: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<SenderAnswer> => {
  const body = JSON.stringify(payload)
  return post(url, body, {
    'x-github-event': event,
    'x-github-delivery': nextId(),
    'x-hub-signature-256': sign(secret, body),
    ...headers,
  })
}

/** The first published payload of an event that becomes a signal. */
export const exampleOf = (event: string): object => {
  // Each event's payload has a type of its own; what tells them apart is these fields.
  const payloads = examplesOf(event) as readonly { action?: string; head_commit?: unknown }[]
  const wanted: Readonly<Record<string, (payload: (typeof payloads)[number]) => boolean>> = {
    push: ({ head_commit: commit }) => Boolean(commit),
    pull_request: ({ action }) => action === 'opened',
    release: ({ action }) => action === 'published',
  }
  const found = payloads.find(wanted[event] ?? (() => true))
  if (found === undefined) throw new Error(`No payload of ${event} is published.`)
  return found
}

/** Sends a body as Standard Webhooks asks; signed with another secret where one is given. */
export const sendConnected = (source: CreatedSource, data: object, secret = source.secret): Promise<SenderAnswer> => {
  const at = new Date()
  const body = JSON.stringify({ type: 'feedback.created', timestamp: at.toISOString(), data })
  const id = nextId()
  return post(source.url, body, webhookHeaders(secret, id, at, body))
}

interface Mail {
  readonly subject: string
  readonly text: string
  readonly quoted?: string
}

/** A mail that somebody answered, with what they quote below, as it is forwarded. */
export const mailOf = ({ subject, text, quoted }: Mail): Buffer =>
  Buffer.from(
    [
      'From: A Customer <customer@example.com>',
      'To: Support <support@example.org>',
      `Date: ${new Date().toUTCString()}`,
      `Message-ID: <${nextId()}@example.com>`,
      `Subject: ${subject}`,
      'Content-Type: text/plain; charset=utf-8',
      '',
      text,
      ...(quoted === undefined ? [] : ['', 'On Tue, Mar 4, 2025 at 10:12 AM Support <s@example.org> wrote:', '']),
      ...(quoted === undefined ? [] : quoted.split('\n').map(line => `> ${line}`)),
      '',
    ].join('\r\n'),
  )

/** Forwards a mail to the workspace's address; answers its snippet_id. */
export const forward = async (baseUrl: string, source: CreatedSource, mail: Mail): Promise<string> => {
  const { status, body } = await postMail(baseUrl, source, mailOf(mail))
  if (status !== 200) throw new Error(`The mail was answered ${status}: ${JSON.stringify(body)}`)
  return String(body.snippet_id)
}
