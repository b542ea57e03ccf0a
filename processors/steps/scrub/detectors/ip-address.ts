import { isIPv4 } from 'node:net'
import { isPrecededBy } from './context.ts'
import { type Detector, occurrences, type Span } from './detector.ts'
import { ipv6 } from './ipv6-address.ts'

/** `ip-203.0.113.7` has an address, `foo-1.2.3.4.jar` a version. */
const MAY_FOLLOW = String.raw`(?:(?<![\w.]|[a-z]-)|(?<=(?<![a-z])ip[-_]))`
/** No fifth number follows unless it is a port, and no percent sign unless it begins a zone such as `%eth0`. */
const DOTTED = new RegExp(
  String.raw`${MAY_FOLLOW}(\d{1,3}(?:\.\d{1,3}){3})(?:\.(\d{1,5})(?!\.\d))?(?![\w]|%(?![a-z])|\.\d|-[a-z])`,
  'gi',
)
/** Words before four numbers that are a version, a section of a document or an object identifier. */
export const VERSION_WORDS =
  /(?<!\p{L})(?:versions?|versionen|versiones|versión|versioni?e?|versão|versões|versies?|versjon|wersj\p{L}*|верси\p{L}*|releases?|builds?|firmware|drivers?|kernel|treiber|assembly|package|plugin|sdk|patch|hotfix|update[ds]?|upgrades?|upgraded?|ver|v|rv|since|seit|depuis|desde|sinds|oid|section|chapter|clause|kapitel|abschnitt|§|rev)(?:[\s_.:#="'-]|(?<!\p{L})(?:from|to|is|von|auf|de|à|a|da|van|naar|z|do|number|no)(?!\p{L})){0,8}(?:\d{1,5}(?:\.\d{1,5}){2,3}[\s,>→-]{0,4}(?:(?:to|and|or|auf|und|à|et|a|e|y|naar|en|do|i)(?!\p{L})\s?)?){0,2}$/iu
/** `Chrome/120.0.0.0`: a product with its version, no path. */
const PRODUCT = /(?<![\w./-])[a-z][\w.-]{0,40}\/$/i
/**
 * `broker/10.0.0.5:9092`, as Java writes a host: a version has no port, and no product's version lies in these blocks.
 */
const PORT = /^:\d{2,5}(?!\d)/
const HOSTS_OWN = /^(?:127|192\.168|169\.254)\./

/** IPv4 and IPv6 addresses, with or without a port. A dotted number after a version word is a version. */
export const ipAddress: Detector = {
  kind: 'IP_ADDRESS',
  *find(text) {
    yield* ipv4(text)
    yield* ipv6(text)
  },
}

/** Once `5.4.3.2` is called a version, `5.4.3.3` is one too. */
function* ipv4(text: string): Iterable<Span> {
  const versions = new Set<string>()
  for (const { 0: found, 1: address = '', 2: port, index } of occurrences(DOTTED, text)) {
    if (!isIPv4(address)) continue
    const [end, endOfAll] = [index + address.length, index + found.length]
    if (port !== undefined && !isPort(port, text, index, endOfAll)) continue
    const release = address.split('.', 2).join('.')
    const isHost = HOSTS_OWN.test(address) || PORT.test(text.slice(end, end + 7))
    const isVersion = !isHost && (isPrecededBy(VERSION_WORDS, text, index) || isPrecededBy(PRODUCT, text, index))
    if (isVersion) versions.add(release)
    else if (!versions.has(release)) yield { start: index, end }
  }
}

const LAST_PORT = 65_535
/** Below this, versions and sections are as frequent as ports. */
const FIRST_PORT_BY_ITSELF = 1024
const REACH = 48
/** Text around the ends of a connection in lines of tcpdump and netstat. */
const BEFORE_END =
  /(?:(?:^|[^\p{L}])IP|(?:tcp|udp)(?:4|46)?(?: {1,9}\d{1,9}){2}|\d\.\d{1,5}|[\da-z][.:][\da-z-]{1,20} >) {1,9}$/iu
const BEHIND_END =
  /^(?: > ?[\da-z-]{1,20}[.:][\da-z]|: (?:Flags|UDP|tcp|udp|ICMP)|\s{1,9}(?:\*\.|\d{1,3}(?:\.\d{1,3}){3}\.\d|[A-Z]{6}))/u

/** True when a fifth number is a port, as tcpdump and some netstats write it: `203.0.113.7.443 > …`. */
const isPort = (port: string, text: string, start: number, end: number): boolean => {
  const number = Number(port)
  if (number > LAST_PORT || (port.startsWith('0') && port !== '0')) return false
  return (
    number >= FIRST_PORT_BY_ITSELF ||
    BEHIND_END.test(text.slice(end, end + REACH)) ||
    BEFORE_END.test(text.slice(Math.max(0, start - REACH), start))
  )
}
