import type { ProjectedMailbox } from '../../../../schemas/http/email.ts'

/** An address as mail programs write it beside a name, in brackets or not. */
const ADDRESS =
  /[<([]{0,2}[^\s<>()[\]"',;:@]{1,64}@[^\s<>()[\]"',;:@]{1,64}[^<>()[\]\s]{0,9}(?:[<[(]mailto:[^\s<>[\]()]{1,64}[>\])])?[>)\]]{0,2}/gu
/** The address that stands last in a text. */
export const lastAddress = (text: string): RegExpExecArray | undefined => [...text.matchAll(ADDRESS)].at(-1)

/** Words that begin with a small letter are none of a name. */
const SMALL_WORD = /(?<![\p{L}\p{N}.@'’-])\p{Ll}[\p{L}'’]*/gu
export const countSmallWords = (text: string): number => text.match(SMALL_WORD)?.length ?? 0

/** The date stands at the beginning, behind a few short words: `On Mon, Nov 23`, `пн, 23`, `W dniu 23`. */
export const BEGINS_WITH_DATE = /^[^\p{L}\d]{0,6}(?:\p{L}{1,14}[.,]{0,2}\s{1,3}){0,4}\d/u
/** A name as people have them: one to five words, all but particles with a capital letter. */
export const NAME =
  /^["“]?(?!(?:As|Like|What|Wie|Comme|Como|Come|So|Our|My|Unser|Notre|Nuestro)\s)[\p{Lu}\p{Lo}][\p{L}\p{M}.'’-]{0,30}(?:\s(?:[\p{Lu}\p{Lo}][\p{L}\p{M}.'’-]{0,30}|v[ao]n|de[rnl]?|d[aiou]s?|la|le|via|bin|al)){0,4}["”]?$/u

/** What stands between the last figure of a date and a name: `PM -0500, `, `(GMT) `. */
const BEHIND_DATE = /^(?:[^\p{L}"]{0,6}(?:[ap]\.?m\.?|GMT|UTC|[A-Z]{3,4})(?![\p{L}.]))?[^\p{L}"<([]{0,6}/iu

export const behindLastFigure = (text: string): string => {
  let last = text.length - 1
  while (last >= 0 && !/\d/.test(text[last] ?? '')) last--
  return text.slice(last + 1)
}

/** Who is said to have written it, where a date stands before the name. */
export const withoutDate = (text: string): string =>
  BEGINS_WITH_DATE.test(text) ? behindLastFigure(text).replace(BEHIND_DATE, '') : text

const QUOTED_NAME = /"(?<name>[^"]{1,80})"[\s,<([]{0,3}$/u
const LEADING_SMALL_WORDS = /^(?:\p{Ll}[\p{L}'’]{0,30}\s{1,3}){1,6}/u

/** Who an attribution says wrote what follows; null without an address. */
export const authorOfAttribution = (text: string): ProjectedMailbox | null => {
  const address = lastAddress(text)
  const email = address === undefined ? undefined : /[^\s<>()[\]]{1,64}@[^\s<>()[\]]{1,255}/u.exec(address[0])?.[0]
  if (address === undefined || email === undefined) return null
  const before = text.slice(0, address.index)
  const name = QUOTED_NAME.exec(before)?.groups?.name ?? withoutDate(before).trim().replace(LEADING_SMALL_WORDS, '')
  return { name: name.replace(/[\s,(<"]{1,4}$/, '') || null, email }
}
