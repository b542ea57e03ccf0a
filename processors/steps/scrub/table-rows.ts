/** True when two lines look like rows of a table, or begin alike, as lines of a log do. */
export const areRows = (one: string, other: string): boolean =>
  shapeOf(one) === shapeOf(other) || beginAlike(one, other) || areRecords(one, other)

/** A line's form: `9` for digits and `a` for letters. */
const shapeOf = (line: string): string => line.replace(/\d+/g, '9').replace(/\p{L}+/gu, 'a')
const groupsOf = (line: string): string => line.replace(/\d/g, '9')

const firstToken = (line: string): string => line.split(/\s/, 1)[0] ?? ''

const beginAlike = (one: string, other: string): boolean => {
  const begin = groupsOf(firstToken(one))
  return /9/.test(begin) && begin === groupsOf(firstToken(other))
}

const CELLS = /[,;\t|]/
/** Two lines with the same number of cells, three and more, are rows when their first cells are alike. */
const areRecords = (one: string, other: string): boolean => {
  const [cells, others] = [one.split(CELLS), other.split(CELLS)]
  return cells.length >= 3 && cells.length === others.length && shapeOf(cells[0] ?? '') === shapeOf(others[0] ?? '')
}
