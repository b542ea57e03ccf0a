import type { ProjectedMailbox } from '../../../../schemas/http/email.ts'

/** An address as mail programs write it beside a name, with or without brackets. */
const ADDRESS =
  /[<([]{0,2}[^\s<>()[\]"',;:@]{1,64}@[^\s<>()[\]"',;:@]{1,64}[^<>()[\]\s]{0,9}(?:[<[(]mailto:[^\s<>[\]()]{1,64}[>\])])?[>)\]]{0,2}/gu
/** The last address in a text. */
export const lastAddress = (text: string): RegExpExecArray | undefined => [...text.matchAll(ADDRESS)].at(-1)

/** Words with a small first letter are not part of a name. */
const SMALL_WORD = /(?<![\p{L}\p{N}.@'’-])\p{Ll}[\p{L}'’]*/gu
export const countSmallWords = (text: string): number => text.match(SMALL_WORD)?.length ?? 0

/** A date at the beginning, behind a few short words: `On Mon, Nov 23`, `пн, 23`, `W dniu 23`. */
export const BEGINS_WITH_DATE = /^[^\p{L}\d]{0,6}(?:[\p{L}-]{1,14}[.,]{0,2}\s{1,3}){0,4}\(?\d/u
/** A person's name: one to five words, all but particles with a capital letter. */
export const NAME =
  /^["“]?(?!(?:As|Like|What|Wie|Comme|Como|Come|So|Our|My|Unser|Notre|Nuestro)\s)[\p{Lu}\p{Lo}][\p{L}\p{M}.'’-]{0,30}(?:\s(?:[\p{Lu}\p{Lo}][\p{L}\p{M}.'’-]{0,30}|v[ao]n|de[rnl]?|d[aiou]s?|la|le|via|bin|al)){0,4}["”]?$/u

/** Words of a sentence, and words for people spoken of: no program puts them before `wrote:`. */
const OWN_WORDS = new Set(
  [
    'i we you he she it they who this that these those the a an my our your his her their its one some somebody someone',
    'then also already just later earlier once again yesterday today now here there as like what which when where if so',
    'and but even not from with about for user users customer customers client clients colleague support admin team',
    'ich wir ihr sie er es ein eine einer die das dem unser unsere mein meine gestern heute kunde kundin kollege',
    'je nous vous il elle on ils notre votre mon ma un une hier cliente collègue yo usted nuestro nuestra los las ayer',
    'io noi lui lei nostro nostra una ieri eu ele ela nosso nossa um uma ontem ik wij hij zij onze mijn een het klant',
    'jag jeg vi han hon hun vår min en ett et kund kunden',
  ].flatMap(words => words.split(' ')),
)

/** True when a text has a word of sentences that is in no name. */
export const hasOwnWord = (text: string): boolean => {
  const [first = '', ...rest] = text.trim().split(/[^\p{L}\p{M}\p{N}'’@-]+/u)
  return OWN_WORDS.has(first.toLowerCase()) || rest.some(word => OWN_WORDS.has(word))
}

const PLAIN_NAME = /^\p{L}[\p{L}\p{M}\p{N} .,'’&()/@_-]{0,60}$/u
const ENDS_SENTENCE = /\p{L}{3}[.]\s/u
const MAX_NAME_WORDS = 5

/** True for a name in any form that people use: `kim lee`, `Lee, Kim (Sales/E)`, `kim_99`. */
export const isPlainName = (text: string): boolean =>
  PLAIN_NAME.test(text) &&
  !ENDS_SENTENCE.test(text) &&
  text.split(' ').length <= MAX_NAME_WORDS && // Both parentheses or none: half of a wrapped name is no name.
  text.includes('(') === text.includes(')') &&
  !hasOwnWord(text)

/** The text between a date's last figure and a name: `PM -0500, `, `(GMT) `. */
export const BEHIND_DATE = /^(?:[^\p{L}"]{0,6}(?:[ap]\.?m\.?|GMT|UTC|[A-Z]{3,4})(?![\p{L}.]))?[^\p{L}"<([]{0,6}/iu

/** A name with figures, such as `w1abc`; `GMT+2` and `T10:54` belong to a date. */
const NAME_WITH_FIGURE = /(?<![^\s"(<,])(?!GMT|UTC|T\d)[A-Za-z][\w.-]{0,40}\d[\w.-]{0,40}/g

export const behindLastFigure = (text: string): string => {
  const dates = text.replace(NAME_WITH_FIGURE, name => 'x'.repeat(name.length))
  let last = dates.length - 1
  while (last >= 0 && !/\d/.test(dates[last] ?? '')) last--
  return text.slice(last + 1)
}

/** The text behind a leading date, which names the author. */
export const withoutDate = (text: string): string =>
  BEGINS_WITH_DATE.test(text) ? behindLastFigure(text).replace(BEHIND_DATE, '') : text

const QUOTED_NAME = /"(?<name>[^"]{1,80})"[\s,<([]{0,3}$/u
const LEADING_SMALL_WORDS = /^(?:\p{Ll}[\p{L}'’]{0,30}\s{1,3}){1,6}/u

/** The author whom an attribution names; null without an address. */
export const authorOfAttribution = (text: string): ProjectedMailbox | null => {
  const address = lastAddress(text)
  const email = address === undefined ? undefined : /[^\s<>()[\]]{1,64}@[^\s<>()[\]]{1,255}/u.exec(address[0])?.[0]
  if (address === undefined || email === undefined) return null
  const before = text.slice(0, address.index)
  const name = QUOTED_NAME.exec(before)?.groups?.name ?? withoutDate(before).trim().replace(LEADING_SMALL_WORDS, '')
  return { name: name.replace(/[\s,(<"]{1,4}$/, '') || null, email }
}
