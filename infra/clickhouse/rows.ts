interface Answer {
  readonly meta: readonly { readonly name: string; readonly type: string }[]
  readonly data: Record<string, unknown>[]
}

const WIDE_INTEGER = /^(Nullable\()?U?Int64\)?$/

const narrow = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/**
 * The rows of an answer in ClickHouse's `JSON` format, which quotes 64-bit integers: those that a number holds exactly become one.
 * The caller's statement is what makes a row a `Row`.
 */
export const readRows = <Row extends object>(text: string): Row[] => {
  const { meta, data }: Answer = JSON.parse(text)
  const wide = meta.filter(column => WIDE_INTEGER.test(column.type)).map(column => column.name)
  for (const row of data) for (const name of wide) row[name] = narrow(row[name])
  // The types of columns are the statement's, so nothing here can check them.
  return data as Row[]
}
