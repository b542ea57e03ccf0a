import { createTransport } from 'nodemailer'
import { type Agent, agentOf } from '../../support/agent.ts'
import type { Installation } from '../../support/installation.ts'
import { postMail } from '../../support/mail.ts'
import { type CreatedSource, createSignalSource, type Person, signUp } from '../../support/person.ts'
import { post, type SenderAnswer, sendSignal, sign, webhookHeaders } from '../../support/sender.ts'
import { base64, bodyWith, eventWith, mailWith } from './bodies.ts'
import { MARKS } from './models.ts'
import type { Garden } from './planted.ts'

/** What was sent: who can read about it, and the ids of the signals that were accepted, by place. */
export interface Sent {
  readonly person: Person
  readonly agent: Agent
  readonly accepted: ReadonlyMap<string, string>
}

/**
 * Sends signals full of personal data through every way in that takes a text, also such as are refused, retried and
 * die.
 */
export const sendEverywhere = async (installation: Installation, { plant }: Garden): Promise<Sent> => {
  const person = await signUp(installation.baseUrl)
  const agent = await agentOf(person)
  const source = await createSignalSource(person)
  const accepted = new Map<string, string>()
  const accept = (place: string, { status, body }: Pick<SenderAnswer, 'status' | 'body'>): void => {
    if (status !== 200) throw new Error(`${place} was answered ${status}: ${JSON.stringify(body)}`)
    accepted.set(place, String(body.snippet_id))
  }
  const refuse = (place: string, { status }: Pick<SenderAnswer, 'status'>): void => {
    if (status < 400) throw new Error(`${place} was not refused.`)
  }

  const signal = async (place: string, mark: string) => {
    const data = plant(place)
    accept(place, await sendSignal(source, bodyWith(data, `${mark} ${data.words}`)))
  }
  await signal('signal', 'The export of invoices stops at page two.')
  await signal('retried-at-embed', MARKS.failsAtFirstAtEmbed)
  await signal('dead-at-embed', MARKS.refusedAtEmbed)
  await signal('dead-at-classify', MARKS.failsAtClassify)
  await signal('twin', 'Two people say the same of the calendar.')
  await signal('other-twin', 'Two people say the same of the calendar.')

  const headers = plant('headers')
  const body = JSON.stringify({ text: 'Nothing personal is in this body, but all around it.' })
  const asked = `${source.url}?mail=${encodeURIComponent(headers.email)}&ip=${headers.ipv4}`
  accept(
    'headers',
    await post(asked, body, {
      'x-service-signature': sign(source.secret, body),
      'x-idempotency-key': headers.email,
      'user-agent': `desk of ${headers.email}`,
      referer: `https://desk.example/${headers.email}`,
      traceparent: headers.email,
      tracestate: `desk=${headers.phone.replaceAll(/\D/g, '')}`,
      'x-forwarded-for': headers.ipv4,
    }),
  )

  const refusedAt = (place: string) => bodyWith(plant(place), 'Refused.')
  const unsigned = JSON.stringify(refusedAt('wrong-signature'))
  refuse('wrong-signature', await post(source.url, unsigned, { 'x-service-signature': sign('other', unsigned) }))
  refuse('nothing-to-see', await sendSignal(source, bodyWith(plant('nothing-to-see'), '\u0000')))
  refuse('invalid', await sendSignal(source, { ...refusedAt('invalid'), actor_role: plant('invalid-field').email }))
  const broken = `{"text": "${plant('no-json').words}`
  refuse('no-json', await post(source.url, broken, { 'x-service-signature': sign(source.secret, broken) }))
  refuse('no-source', await post(`${source.url.slice(0, -12)}${'0'.repeat(12)}/${plant('path').email}`, body))

  await byMail(installation, person, plant, accept, refuse)
  await byConnection(person, plant, accept, refuse)
  await byCodeHost(person, plant, accept, refuse)

  const captured = plant('captured')
  const { data } = await agent.call<{ snippet_id: string }>('service_capture', {
    mode: 'signal',
    ...bodyWith(captured, `Said in an interview about the sidebar. ${captured.words}`),
  })
  accepted.set('captured', data.snippet_id)
  return { person, agent, accepted }
}

type Accept = (place: string, answered: Pick<SenderAnswer, 'status' | 'body'>) => void
type Refuse = (place: string, answered: Pick<SenderAnswer, 'status'>) => void
type Plant = Garden['plant']

const byMail = async (installation: Installation, person: Person, plant: Plant, accept: Accept, refuse: Refuse) => {
  const source = await person.call<CreatedSource>('create_source', { kind: 'email', name: 'Mail' })
  const mail = mailWith(plant, source.address ?? '')
  accept('mail-text', await postMail(installation.baseUrl, source, mail))
  const nobody = plant('mail-to-nobody')
  const address = nobody.email.replace('example.com', 'in.assay.test')
  refuse('mail-to-nobody', await postMail(installation.baseUrl, { ...source, address }, mail))
  const transport = createTransport({ host: '127.0.0.1', port: installation.smtpPort, ignoreTLS: true })
  const sender = plant('mail-sender')
  const envelope = (to: string) => ({ from: sender.email, to })
  await transport.sendMail({ envelope: envelope(source.address ?? ''), raw: mail })
  const wasRefused = await transport.sendMail({ envelope: envelope(address), raw: mail }).then(
    () => false,
    () => true,
  )
  refuse('mail-to-nobody', { status: wasRefused ? 550 : 250 })
  transport.close()
}

const byConnection = async (person: Person, plant: Plant, accept: Accept, refuse: Refuse) => {
  const source = await person.call<CreatedSource>('create_source', {
    kind: 'connection',
    name: 'Survey',
    settings: { mapping: { text: '/data/answer', actor_email: '/data/mail', metadata: '/data' } },
  })
  const send = (place: string, secret: string) => {
    const { email, words, phone } = plant(place)
    const timestamp = new Date()
    const body = JSON.stringify({
      type: 'survey.answered',
      timestamp: timestamp.toISOString(),
      data: { answer: `The survey says that search is slow. ${words}`, mail: email, [email]: { phone } },
    })
    const id = plant(`${place}-id`).email
    return post(source.url, body, webhookHeaders(secret, id, timestamp, body))
  }
  accept('connection', await send('connection', source.secret))
  refuse('connection-refused', await send('connection-refused', `whsec_${base64('another secret of 24 bytes')}`))
}

const byCodeHost = async (person: Person, plant: Plant, accept: Accept, refuse: Refuse) => {
  const source = await person.call<CreatedSource>('create_source', {
    kind: 'code_host',
    name: 'Repository',
    code_host: 'github',
  })
  const send = (event: string, payload: object, secret = source.secret) => {
    const body = JSON.stringify(payload)
    return post(source.url, body, {
      'x-github-event': event,
      'x-github-delivery': plant(`${event}-delivery-${secret === source.secret}`).email,
      'x-hub-signature-256': sign(secret, body),
    })
  }
  const wanted: Readonly<Record<string, (payload: Record<string, unknown>) => boolean>> = {
    push: ({ commits }) => Array.isArray(commits) && commits.length > 0,
    pull_request: ({ action }) => action === 'opened',
    release: ({ action }) => action === 'published',
    deployment: () => true,
  }
  for (const [event, isWanted] of Object.entries(wanted)) {
    accept(event, await send(event, eventWith(event, plant(event), isWanted)))
  }
  const refused = eventWith('push', plant('push-refused'), wanted.push ?? (() => true))
  refuse('push-refused', await send('push', refused, 'another secret'))
}
