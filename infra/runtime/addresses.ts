import { isIP, isIPv6 } from 'node:net'

const MAPPED_HEX = /^(?:0{1,4}:){5}ffff:([0-9a-f]{4}):([0-9a-f]{4})$/i
const MAPPED_DOTTED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

/**
 * A socket's address in its usual form. uWebSockets.js (in full) and Node (`::ffff:192.0.2.1`) write an IPv4 client of
 * an IPv6 socket as IPv6; the result is plain IPv4.
 */
export const readableAddress = (address: string): string => {
  const dotted = MAPPED_DOTTED.exec(address)?.[1]
  if (dotted !== undefined) return dotted
  const mapped = MAPPED_HEX.exec(address)
  if (!mapped) return address
  const bytes = Buffer.from(`${mapped[1]}${mapped[2]}`, 'hex')
  return [...bytes].join('.')
}

/** Forms that several proxies write: `[2001:db8::1]` with or without a port, and `192.0.2.1:4711`. */
const IN_BRACKETS = /^\[([^\]]*)\](?::\d{1,5})?$/
const WITH_PORT = /^([^:]*):\d{1,5}$/

/**
 * The IP address in a proxy's entry, without port, brackets, zone, quotes and the `for=` of `Forwarded` (RFC 7239).
 * Null where the entry is no IP address, such as `unknown` or a host name.
 */
const addressIn = (written: string): string | null => {
  const [element = ''] = written.split(';', 1)
  const value = element
    .trim()
    .replace(/^for=/i, '')
    .replace(/^"(.*)"$/, '$1')
    .trim()
  const [plain = ''] = (IN_BRACKETS.exec(value)?.[1] ?? WITH_PORT.exec(value)?.[1] ?? value).split('%', 1)
  const address = readableAddress(plain)
  return isIP(address) === 0 ? null : address
}

/**
 * Stands for every client whose proxy wrote no IP address. These clients share one budget: a client that may choose the
 * text could otherwise give itself a new budget with each request.
 */
export const NO_ADDRESS = 'no address'

/**
 * The client's address: the last entry of the header that the proxy sets, else the socket's address. The socket is read
 * only when needed, since that asks the kernel. `NO_ADDRESS` where the header's entry is no IP address.
 */
export const clientAddress = (socketAddress: () => string, forwarded: string | undefined): string => {
  const written = forwarded?.split(',').at(-1)?.trim() ?? ''
  return written === '' ? readableAddress(socketAddress()) : (addressIn(written) ?? NO_ADDRESS)
}

const NETWORK_GROUPS = 4

/**
 * The key under which an address has its budget: the IPv4 address itself, or the /64 of an IPv6 address, since one
 * subscriber owns a whole /64. Takes any form that proxies write; everything that is no address is one group.
 */
export const addressGroup = (address: string): string => {
  const plain = addressIn(address)
  if (plain === null) return NO_ADDRESS
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const before = groupsOf(head)
  // `::` stands for the missing groups; an IPv4 address at the end stands for two groups.
  const after = tail === undefined ? [] : groupsOf(tail)
  const dotted = plain.includes('.') ? 1 : 0
  const left = tail === undefined ? 0 : 8 - before.length - after.length - dotted
  const groups = [...before, ...Array.from({ length: left }, () => '0'), ...after]
  const network = groups.slice(0, NETWORK_GROUPS).map(group => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))
