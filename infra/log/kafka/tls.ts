import { connect } from 'node:tls'
import { AssayError } from '../../runtime/errors.ts'
import { toAssayError } from './errors.ts'

/** Who listens at an address: `secure` answers a TLS hello, `plain` does not; null when nobody does. */
type Listener = { readonly kind: 'plain' } | { readonly kind: 'secure'; readonly isTrusted: boolean } | null

const TIMEOUT_MS = 2000

const listenerAt = (broker: string): Promise<Listener> =>
  new Promise(resolve => {
    const [, host = '', port = ''] = /^\[?(.+?)\]?:(\d+)$/.exec(broker) ?? []
    // Only whether it is trusted is asked; nothing is sent.
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, timeout: TIMEOUT_MS })
    let isConnected = false
    const end = (listener: Listener): void => {
      socket.destroy()
      resolve(listener)
    }
    socket.on('connect', () => {
      isConnected = true
    })
    socket.on('secureConnect', () => end({ kind: 'secure', isTrusted: socket.authorized }))
    socket.on('timeout', () => end(null))
    // An alert is an answer in TLS: it does not agree on how, or wants to know who comes.
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (code.includes('ALERT')) end({ kind: 'secure', isTrusted: true })
      else end(isConnected ? { kind: 'plain' } : null)
    })
    socket.on('close', () => end(isConnected ? { kind: 'plain' } : null))
  })

const mistakeOf = (listener: NonNullable<Listener>, tls: boolean): string | null => {
  if (!tls) return listener.kind === 'secure' ? 'its brokers expect TLS at this port. Set KAFKA_TLS=true' : null
  if (listener.kind === 'plain')
    return 'its brokers speak no TLS at this port. Leave KAFKA_TLS out, or take another port'
  if (listener.isTrusted) return null
  return 'the certificate of its brokers is not one that is trusted here. NODE_EXTRA_CA_CERTS names a file with the certificate of your own authority'
}

/** The error of a connection that did not come about; where TLS is what differs, it says so. */
export const sayingTls = async (
  error: unknown,
  { brokers, tls = false }: { readonly brokers: readonly string[]; readonly tls?: boolean | undefined },
): Promise<AssayError> => {
  const translated = toAssayError(error)
  const [first] = brokers
  if (translated.code !== 'unavailable' || first === undefined) return translated
  const listener = await listenerAt(first)
  const mistake = listener && mistakeOf(listener, tls)
  return mistake === null
    ? translated
    : new AssayError('unavailable', `The log cannot be reached: ${mistake}.`, { cause: error })
}
