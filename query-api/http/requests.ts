import { AssayError } from '../../infra/runtime/errors.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Origins whose pages may call: the service's own; for a loopback address, all names of the loopback interface. */
export const trustedOrigins = (...urls: readonly string[]): readonly string[] => {
  const origins = urls.flatMap(url => {
    const { origin, hostname, protocol, port } = new URL(url)
    const suffix = port === '' ? '' : `:${port}`
    return LOOPBACK.includes(hostname) ? LOOPBACK.map(name => `${protocol}//${name}${suffix}`) : [origin]
  })
  return [...new Set(origins)]
}

/**
 * Throws `forbidden` for a request from another site's page, which could otherwise use a signed-in browser or reach a
 * service on this machine. Programs other than browsers send no `Origin`.
 */
export const checkOrigin = (headers: Headers, origins: readonly string[]): void => {
  const origin = headers.get('origin')
  if (origin === null || origins.includes(origin)) return
  throw new AssayError(
    'forbidden',
    `Pages of this Origin may not call; allowed: ${origins.join(', ')}. If the service is reached at another address, set BASE_URL to it.`,
  )
}
