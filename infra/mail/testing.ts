import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

interface ReceivedMail {
  /** Of the envelope. */
  readonly to: readonly string[]
  readonly raw: string
  readonly subject: string
  readonly text: string
  readonly messageId: string
}

export interface TestMailServer {
  readonly url: string
  readonly port: number
  /** What came, the oldest first. */
  readonly received: readonly ReceivedMail[]
  /** How it answers a recipient from now on; null: takes all. */
  refuse(status: number | null): void
  stop(): Promise<void>
}

/** A mail server on the loopback interface, which keeps what it is sent. */
export const startTestMailServer = async (at = 0): Promise<TestMailServer> => {
  const received: ReceivedMail[] = []
  let refusal: number | null = null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'assay' && password === 'p@ss:word' ? done(null, { user: username }) : done(new Error('No.')),
    onRcptTo: (_address, _session, done) =>
      done(refusal === null ? null : Object.assign(new Error('Not somebody@example.com.'), { responseCode: refusal })),
    onData: async (stream, session, done) => {
      const raw = await text(stream)
      const parsed = await simpleParser(raw)
      received.push({
        to: session.envelope.rcptTo.map(({ address }) => address),
        raw,
        subject: parsed.subject ?? '',
        text: parsed.text ?? '',
        messageId: parsed.messageId ?? '',
      })
      done()
    },
  })
  server.on('error', () => {})
  server.listen(at, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    refuse: status => {
      refusal = status
    },
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}
