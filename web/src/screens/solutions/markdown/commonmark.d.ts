/** What the tests use of the reference implementation, which has no types. */
declare module 'commonmark' {
  export class Parser {
    blockStarts: readonly unknown[]
    readonly inlineParser: { parseHtmlTag: () => boolean }
    parse(markdown: string): unknown
  }
  export class HtmlRenderer {
    render(document: unknown): string
  }
}
