/** The part of the library's interface that is used here; the library has no types. */
declare module 'html-to-text' {
  interface Selector {
    readonly selector: string
    readonly format?: string
    readonly options?: Readonly<Record<string, unknown>>
  }

  interface Builder {
    openBlock(options: { readonly leadingLineBreaks: number }): void
    closeBlock(options: {
      readonly trailingLineBreaks: number
      readonly blockTransform: (text: string) => string
    }): void
  }

  export type Formatter = (
    element: { readonly children: unknown },
    walk: (children: unknown, builder: Builder) => void,
    builder: Builder,
  ) => void

  interface Options {
    readonly formatters?: Readonly<Record<string, Formatter>>
    readonly baseElements?: { readonly selectors: readonly string[] }
    readonly limits?: { readonly maxDepth?: number; readonly maxChildNodes?: number; readonly ellipsis?: string }
    readonly selectors?: readonly Selector[]
    readonly wordwrap?: number | false
  }

  export const compile: (options: Options) => (html: string) => string
}
