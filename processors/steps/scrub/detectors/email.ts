import type { Detector, Span } from './detector.ts'

/** `%40` is the sign inside of a link; the full-width one comes from East Asian keyboards. */
const AT = /@|%40|＠/gi
const LOCAL_PART_END = /[\p{L}\p{N}\p{M}._%+'-]{1,64}$/u
const QUOTED_LOCAL_PART_END = /"[^"\n]{1,62}"$/
const DOMAIN_START =
  /^(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,62})\.){1,8}(?:xn--[a-z0-9-]{2,59}|[\p{L}\p{M}]{2,63})/iu
const MAX_DOMAIN = 255
const MAX_LOCAL_PART = 64
/** How source hosts name a repository over SSH: nobody's mailbox. */
const REPOSITORY_USER = 'git'

/** E-mail addresses (RFC 5321 as people use it: plain or quoted local part, any script), also inside of links. */
export const email: Detector = {
  kind: 'EMAIL',
  *find(text): Iterable<Span> {
    for (const sign of text.matchAll(AT)) {
      const domainStart = sign.index + sign[0].length
      const domain = DOMAIN_START.exec(text.slice(domainStart, domainStart + MAX_DOMAIN))?.[0]
      if (domain === undefined) continue
      const localPart = localPartBefore(text, sign.index)
      if (localPart === null || localPart === REPOSITORY_USER) continue
      yield { start: sign.index - localPart.length, end: domainStart + domain.length }
    }
  },
}

const localPartBefore = (text: string, position: number): string | null => {
  const before = text.slice(Math.max(0, position - MAX_LOCAL_PART), position)
  const found = QUOTED_LOCAL_PART_END.exec(before) ?? LOCAL_PART_END.exec(before)
  const localPart = found?.[0].replace(/^[.'-]+/, '') ?? ''
  return localPart === '' ? null : localPart
}
