/** The document with the box of the task on a line, from 0, ticked or unticked. */
export const toggleTask = (markdown: string, line: number): string => {
  // With the ends of lines between them, which stay as they are.
  const lines = markdown.split(/(\r\n|\n|\r)/)
  const toggled = (lines[2 * line] ?? '').replace(/\[([ xX])\](?=[ \t])/, (_, mark) => (mark === ' ' ? '[x]' : '[ ]'))
  return lines.with(2 * line, toggled).join('')
}
