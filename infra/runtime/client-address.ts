const MAPPED_V4 = /^(?:0{1,4}:){5}ffff:([0-9a-f]{4}):([0-9a-f]{4})$/i

/** The address of a socket in its usual form: an IPv4 address that came in through an IPv6 socket is written as IPv4. */
export const readableAddress = (address: string): string => {
  const mapped = MAPPED_V4.exec(address)
  if (!mapped) return address
  const bytes = Buffer.from(`${mapped[1]}${mapped[2]}`, 'hex')
  return [...bytes].join('.')
}

/**
 * Who an address belongs to, for a budget: an IPv4 address itself, the /64 of an IPv6 address, since one subscriber has all of it.
 * Takes IPv6 addresses written in full, as uWebSockets.js writes them; a shorter form counts as itself.
 */
export const addressGroup = (address: string): string => {
  const groups = address.split(':')
  return groups.length === 8 ? `${groups.slice(0, 4).join(':')}::/64` : address
}

/** The client behind a proxy: the last address of the header that the proxy sets, or the socket's own. */
export const clientAddress = (socketAddress: string, forwarded: string | undefined): string =>
  forwarded?.split(',').at(-1)?.trim() || readableAddress(socketAddress)
