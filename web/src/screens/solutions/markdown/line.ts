const TAB_COLUMNS = 4

/** What is left of a line of Markdown, and the column at which that begins: a tab reaches to the next tab stop. */
export class Line {
  text: string
  column = 0
  /** How many columns of space the rest begins with. */
  indent = 0
  /** How many characters these are. */
  private blanks = 0

  constructor(text: string) {
    this.text = text
    this.measure()
  }

  get isBlank(): boolean {
    return this.blanks === this.text.length
  }

  /** The rest behind its indent. */
  get words(): string {
    return this.text.slice(this.blanks)
  }

  /** Takes so many columns of the indent away; the rest of a tab that is taken in part stays as spaces. */
  skipColumns(columns: number): void {
    const goal = this.column + Math.min(columns, this.indent)
    let taken = 0
    while (this.column < goal) {
      this.column = this.text[taken] === '\t' ? nextTabStop(this.column) : this.column + 1
      taken += 1
    }
    this.text = ' '.repeat(this.column - goal) + this.text.slice(taken)
    this.column = goal
    this.measure()
  }

  /** Takes the indent away, and so many characters behind it, none of which is a tab. */
  skipWords(characters: number): void {
    this.text = this.text.slice(this.blanks + characters)
    this.column += this.indent + characters
    this.measure()
  }

  private measure(): void {
    let column = this.column
    let at = 0
    while (this.text[at] === ' ' || this.text[at] === '\t') {
      column = this.text[at] === '\t' ? nextTabStop(column) : column + 1
      at += 1
    }
    this.indent = column - this.column
    this.blanks = at
  }
}

const nextTabStop = (column: number): number => column - (column % TAB_COLUMNS) + TAB_COLUMNS

const isBlankAt = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t'

/** Without the spaces and tabs at its end. Other white space, such as U+2028, is text in Markdown. */
export const trimBlankEnd = (text: string): string => {
  let end = text.length
  while (end > 0 && isBlankAt(text, end - 1)) end -= 1
  return text.slice(0, end)
}

/** Without the spaces and tabs at both ends. */
export const trimBlank = (text: string): string => {
  let from = 0
  while (isBlankAt(text, from)) from += 1
  return trimBlankEnd(text.slice(from))
}
