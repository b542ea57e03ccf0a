/**
 * Bytes of records in one statement, about; at least one letter. A record may have a megabyte, and a third more when it
 * is sealed.
 */
const PAGE_BYTES = 4 * 1024 * 1024

interface LetterPage {
  /** Condition on the letters. */
  readonly where: string
  readonly order: 'signal_id, step' | 'next_redrive_at'
  /** Most letters: a number or a parameter. */
  readonly limit: string | number
  readonly lock?: 'for update skip locked'
}

/**
 * Clauses for a statement's `with`: `page` has the keys of the letters to take, and the number of letters without the
 * limit of bytes.
 */
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

/** True when no letters are behind a page of at most `limit` rows, whose `found` has their number. */
export const isLastPage = (page: readonly { readonly found: number }[], limit: number): boolean =>
  page.length < limit && page.length === (page[0]?.found ?? 0)
