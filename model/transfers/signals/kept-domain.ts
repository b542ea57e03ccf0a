import type { SignalBody } from '../../../schemas/http/signal.ts'

/** Under which key of the metadata it is kept. */
const DOMAIN_KEY = 'email_domain'
const DOMAIN = /^[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,8}$/u

/** What stands behind the sign of an address, which may be in angle brackets; undefined where it is no domain. */
const domainOf = (address: string): string | undefined => {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .replace('>', '')
    .trim()
    .toLowerCase()
  return address.includes('@') && DOMAIN.test(domain) ? domain : undefined
}

/**
 * A row with the domain of its writer's address among its metadata: the address itself is replaced when it comes in,
 * and who somebody works for tells more than that it was one. What the row says under this name stays.
 */
export const withDomain = (body: SignalBody): SignalBody => {
  const domain = domainOf(body.actor_email ?? '')
  if (domain === undefined || body.metadata?.[DOMAIN_KEY] !== undefined) return body
  return { ...body, metadata: { ...body.metadata, [DOMAIN_KEY]: domain } }
}
