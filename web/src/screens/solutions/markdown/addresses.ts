const AUTOLINK = /<(?:([a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^ \n<>]*)|([\w.!#$%&'*+/=?^`{|}~-]+@[a-zA-Z0-9.-]+))>/y
const MAIL_HOST = /@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/
const ADDRESS = /https?:\/\/[^\s<>()[\]"]{1,2000}/y

export interface Address {
  readonly href: string
  /** What of it is shown. */
  readonly words: string
  /** How many characters of the text it takes. */
  readonly length: number
}

/** The address between `<` and `>` at a place; null where none is. */
export const autolinkAt = (text: string, at: number): Address | null => {
  AUTOLINK.lastIndex = at
  const [whole = '', address, mail = ''] = AUTOLINK.exec(text) ?? []
  const { length } = whole
  if (address !== undefined) return { href: address, words: address, length }
  return MAIL_HOST.test(mail) ? { href: `mailto:${mail}`, words: mail, length } : null
}

/** The address of a page that is written without any marks; null where none is. Marks that end a sentence are left. */
export const addressAt = (text: string, at: number): Address | null => {
  ADDRESS.lastIndex = at
  const written = ADDRESS.exec(text)?.[0] ?? ''
  let end = written.length
  while (".,;:!?'*_~".includes(written[end - 1] ?? ' ')) end -= 1
  const href = written.slice(0, end)
  return end > 'https://'.length ? { href, words: href, length: end } : null
}
