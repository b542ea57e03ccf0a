const MAPPED_HEX = /^(?:0{1,4}:){5}ffff:([0-9a-f]{4}):([0-9a-f]{4})$/i
const MAPPED_DOTTED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

/**
 * The address of a socket in its usual form: an IPv4 address that came in through an IPv6 socket is written as IPv4, whether
 * uWebSockets.js (in full) or Node (`::ffff:192.0.2.1`) tells it.
 */
export const readableAddress = (address: string): string => {
  const dotted = MAPPED_DOTTED.exec(address)?.[1]
  if (dotted !== undefined) return dotted
  const mapped = MAPPED_HEX.exec(address)
  if (!mapped) return address
  const bytes = Buffer.from(`${mapped[1]}${mapped[2]}`, 'hex')
  return [...bytes].join('.')
}

/** The client behind a proxy: the last address of the header that the proxy sets, or the socket's own. */
export const clientAddress = (socketAddress: string, forwarded: string | undefined): string =>
  forwarded?.split(',').at(-1)?.trim() || readableAddress(socketAddress)
