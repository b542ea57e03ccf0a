/** What lies after `from` and not after `to`. */
export interface Window {
  readonly from: Date
  readonly to: Date
}

/** So many of a kind in the window, and those of them that are shown. */
export interface Changes<Row> {
  readonly count: number
  readonly rows: readonly Row[]
}

/** The rows of a statement that answers `in_all`, how many there are without its `limit`, beside each row. */
export const counted = <Row extends object>(rows: readonly (Row & { readonly in_all: number })[]): Changes<Row> => ({
  count: rows[0]?.in_all ?? 0,
  rows,
})
