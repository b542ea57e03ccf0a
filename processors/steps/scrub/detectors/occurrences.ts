/** Every match of a global pattern. `matchAll` copies the pattern at each call, which costs more than a search of a short text. */
export function* occurrences(pattern: RegExp, text: string): Iterable<RegExpExecArray> {
  let from = 0
  for (;;) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (match === null) return
    from = match.index + Math.max(1, match[0].length)
    yield match
  }
}
