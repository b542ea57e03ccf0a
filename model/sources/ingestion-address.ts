import { domain, optional } from '../../infra/runtime/settings.ts'
import { isUuid, type SourceId } from '../../schemas/domain/ids.ts'

/** Crockford's base32 in lower case: no letter looks like a digit, because people read addresses aloud. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 128 bits at 5 bits a character. */
const TOKEN_LENGTH = 26
/** RFC 5321 section 4.5.3.1.1. */
const MAX_LOCAL_PART_LENGTH = 64
const MAX_SLUG_LENGTH = MAX_LOCAL_PART_LENGTH - TOKEN_LENGTH - 1

interface Ingestion {
  /** The workspace's slug, for people to recognise the address. Cut when the address would be too long. */
  readonly slug: string
  readonly sourceId: SourceId
  readonly domain: string
}

/** The address for a workspace's mail: its slug, and its source's id as a token that nobody can guess. */
export const formatIngestionAddress = ({ slug, sourceId, domain }: Ingestion): string =>
  `${slug.slice(0, MAX_SLUG_LENGTH)}-${tokenOf(sourceId)}@${domain.toLowerCase()}`

/**
 * The e-mail source of an address (`local@domain`, without a display name); null when the address is no ingestion
 * address of this domain. Ignores the slug, so that a renamed workspace keeps receiving.
 */
export const parseIngestionAddress = (address: string, domain: string): SourceId | null => {
  const at = address.lastIndexOf('@')
  if (at === -1 || address.slice(at + 1).toLowerCase() !== domain.toLowerCase()) return null
  const [, token] = LOCAL_PART.exec(address.slice(0, at).toLowerCase()) ?? []
  return token === undefined ? null : sourceOf(token)
}

const LOCAL_PART = new RegExp(`^[a-z0-9][a-z0-9-]{0,${MAX_SLUG_LENGTH - 1}}-([a-z0-9]{${TOKEN_LENGTH}})$`)

const tokenOf = (id: SourceId): string => {
  const value = BigInt(`0x${id.replaceAll('-', '')}`)
  return Array.from({ length: TOKEN_LENGTH }, (_, index) => {
    const shift = BigInt(5 * (TOKEN_LENGTH - 1 - index))
    return ALPHABET.charAt(Number((value >> shift) & 31n))
  }).join('')
}

/** Null when the token is no UUID. Letters that look like a digit are read as the digit. */
const sourceOf = (token: string): SourceId | null => {
  const digits = Array.from(token.replaceAll('o', '0').replace(/[il]/g, '1'), each => ALPHABET.indexOf(each))
  if (digits.includes(-1)) return null
  const value = digits.reduce((sum, digit) => (sum << 5n) | BigInt(digit), 0n)
  const hex = value.toString(16).padStart(32, '0')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.+)$/, '$1-$2-$3-$4-$5')
  // Has the form of a UUID; the look-up of the source follows.
  return isUuid(id) ? (id as SourceId) : null
}

/** Shared by the edge, which receives mail, and the query API, which shows the address. */
export const MAIL_CONFIG = {
  mailDomain: optional(
    domain({
      env: 'INGEST_MAIL_DOMAIN',
      doc: 'The domain of the ingestion addresses; its MX record leads to the SMTP listener. Unless set, the e-mail way in is off.',
    }),
  ),
}
