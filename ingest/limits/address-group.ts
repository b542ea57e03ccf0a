/**
 * Who an address belongs to, for a budget: an IPv4 address itself, the /64 of an IPv6 address, since one subscriber has all of it.
 * Takes IPv6 addresses written in full, as uWebSockets.js writes them; a shorter form counts as itself.
 */
export const addressGroup = (address: string): string => {
  const groups = address.split(':')
  return groups.length === 8 ? `${groups.slice(0, 4).join(':')}::/64` : address
}
