/**
 * A record may be a megabyte, and a third more where it is sealed: one statement takes about so many bytes of them, or
 * one letter.
 */
const PAGE_BYTES = 4 * 1024 * 1024

interface LetterPage {
  /** Which letters, as a condition. */
  readonly where: string
  readonly order: 'signal_id, step' | 'next_redrive_at'
  /** How many at most: a number, or a parameter. */
  readonly limit: string | number
  readonly lock?: 'for update skip locked'
}

/** For a statement's `with`: `page` has the keys of the letters to take, and how many they would be of any length. */
export const pageOfLetters = ({ where, order, limit, lock }: LetterPage): string => `
  found_letters as materialized (
    select signal_id, step, next_redrive_at, octet_length(record) as bytes from dead_letters
    where ${where} order by ${order} limit ${limit} ${lock ?? ''}
  ), measured as (
    select *, count(*) over ()::int as found,
      sum(bytes) over (order by ${order} rows unbounded preceding) - bytes as bytes_before
    from found_letters
  ), page as (
    select signal_id, step, found from measured where bytes_before < ${PAGE_BYTES}
  )`

/** Whether no letters are left behind a page of at most `limit`, whose rows say what was `found`. */
export const isLastPage = (page: readonly { readonly found: number }[], limit: number): boolean =>
  page.length < limit && page.length === (page[0]?.found ?? 0)
