import type { AddressInfo } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { SMTPServer, type SMTPServerError, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { addressGroup } from '../../infra/runtime/addresses.ts'
import { cannotListen, type Listening } from '../../infra/runtime/listen.ts'
import { parseIngestionAddress } from '../../model/sources/ingestion-address.ts'
import type { Refusal } from '../answer.ts'
import { createBodyDeadlines } from '../http/body-flow.ts'
import type { FailureBudget } from '../limits/budgets.ts'
import { emailReceiver, findRecipients, MAX_RECIPIENTS, UNKNOWN_RECIPIENT } from '../receivers/email/receiver.ts'
import { handleMail, type TakeMailPorts } from './handle-mail.ts'

/**
 * SMTP reply codes by HTTP status (RFC 5321 section 4.2). After 4xx the sending server keeps the mail and tries again;
 * after 5xx it informs the author.
 */
const CODES: Readonly<Record<number, number>> = {
  401: 550,
  404: 550,
  408: 421,
  413: 552,
  422: 554,
  429: 452,
  503: 451,
}
/** An unforeseen error may pass: the sender should try again. */
const UNFORESEEN = 451

const smtpError = (code: number, message: string): SMTPServerError =>
  Object.assign(new Error(message), { responseCode: code })

const smtpRefusal = ({ status, detail }: Pick<Refusal, 'status' | 'detail'>): SMTPServerError =>
  smtpError(CODES[status] ?? UNFORESEEN, detail)

export interface SmtpSettings {
  readonly host: string
  readonly port: number
  /** The domain of ingestion addresses. */
  readonly domain: string
  /** Certificate and key for STARTTLS; null without STARTTLS. */
  readonly tls: Pick<SecureContextOptions, 'cert' | 'key'> | null
  readonly stopTimeoutMs: number
}

export interface ListenerPorts extends Omit<TakeMailPorts, 'domain' | 'deadlines'> {
  readonly failures: FailureBudget
}

/** Maximum of clients in all, and of one address; more get 421. */
const MAX_CLIENTS = 200
const MAX_CLIENTS_OF_ADDRESS = 20
/** A silent client is disconnected after this time, ms. */
const IDLE_MS = 60_000
/** Maximum duration of a session, ms, for a client that sends very slowly. */
const MAX_SESSION_MS = 15 * 60_000
/** A mail must come at 16 KiB a second like an HTTP body, measured in longer portions: a mail server may pause. */
const PORTION_MS = 30_000
const PORTION_BYTES = (PORTION_MS / 1000) * 16 * 1024
/** The key for counting refused recipients. */
const ENDPOINT = 'smtp'

/** Listens for mail. Rejects with `unavailable` when the port is taken. */
export const listen = async (settings: SmtpSettings, ports: ListenerPorts): Promise<Listening> => {
  const { failures, registry, observe } = ports
  const { domain } = settings
  /** Sessions with a mail under way. */
  const busy = new Set<string>()
  /** By session id: the address group, and the timer that ends the session. */
  const clients = new Map<string, { readonly group: string; readonly late: NodeJS.Timeout }>()
  const deadlines = createBodyDeadlines({
    totalMs: MAX_SESSION_MS,
    portionMs: PORTION_MS,
    portionBytes: PORTION_BYTES,
  })
  let stopping = false

  const admit = async ({ id, remoteAddress }: SMTPServerSession) => {
    const group = addressGroup(remoteAddress)
    clients.set(id, { group, late: setTimeout(end, MAX_SESSION_MS, id).unref() })
    const here = clients.values().filter(client => client.group === group)
    if ([...here].length > MAX_CLIENTS_OF_ADDRESS) throw smtpError(421, 'Too many connections from this address.')
    refuseBlocked(remoteAddress)
  }

  const refuseBlocked = (address: string) => {
    const blocked = failures.check(ENDPOINT, () => addressGroup(address))
    if (blocked) throw smtpError(421, 'Too many mails from this address were for nobody here. Try again later.')
  }

  const agreeOn = async (address: string, client: string) => {
    refuseBlocked(client)
    const id = parseIngestionAddress(address, domain)
    const found = id === null ? UNKNOWN_RECIPIENT : await findRecipients(registry, [id])
    if (found.kind === 'found') return
    observe({ receiver: emailReceiver.name, source: null, refused: found.reason })
    if (found.status === 404) failures.fail(ENDPOINT, addressGroup(client))
    throw smtpRefusal(found)
  }

  const end = (id: string) => {
    for (const connection of server.connections) if (connection.session.id === id) connection.close()
  }

  const server = new SMTPServer({
    ...extensions(settings),
    name: domain,
    size: emailReceiver.maxBodyBytes,
    rejectOversized: true,
    maxClients: MAX_CLIENTS,
    maxRecipients: MAX_RECIPIENTS,
    socketTimeout: IDLE_MS,
    closeTimeout: settings.stopTimeoutMs,
    disableReverseLookup: true,
    logger: false,
    onConnect: (session, callback) => {
      admit(session).then(() => callback(), callback)
    },
    onClose: ({ id }) => {
      clearTimeout(clients.get(id)?.late)
      clients.delete(id)
    },
    onRcptTo: ({ address }, { remoteAddress }, callback) => {
      agreeOn(address, remoteAddress).then(() => callback(), callback)
    },
    onData: async (stream, session, callback) => {
      busy.add(session.id)
      const taken = await handleMail({ ...ports, deadlines, domain }, stream, session, () => end(session.id))
      busy.delete(session.id)
      if (taken.kind === 'accepted') callback(null, taken.message)
      else if (taken.kind === 'refusal') callback(smtpRefusal(taken))
      else callback(smtpError(451, 'The mail did not come whole.'))
      if (stopping || (taken.kind === 'refusal' && taken.closes)) end(session.id)
    },
  })
  // A client broke its connection or TLS off: nothing is left to do.
  server.on('error', () => {})

  const { port } = await bind(server, settings)
  return {
    port,
    stop: () =>
      new Promise(resolve => {
        stopping = true
        server.close(() => {
          deadlines.stop()
          resolve()
        })
        for (const connection of server.connections) {
          if (!busy.has(connection.session.id)) connection.send(421, 'This server is about to stop. Try again.')
        }
      }),
  }
}

/** No authentication: mail comes from anybody. */
const extensions = ({ tls }: SmtpSettings): SMTPServerOptions => ({
  disabledCommands: ['AUTH', ...(tls === null ? ['STARTTLS'] : [])],
  authOptional: true,
  hideENHANCEDSTATUSCODES: false,
  ...tls,
})

const bind = (server: SMTPServer, { host, port }: SmtpSettings): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.server.once('error', error =>
      reject(cannotListen(error, { host, port, variables: 'SMTP_PORT or SMTP_HOST' })),
    )
    server.server.listen(port, host, () => {
      // A listening TCP server has an address with a port.
      resolve(server.server.address() as AddressInfo)
    })
  })
