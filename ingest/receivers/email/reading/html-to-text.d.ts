/** As much of the library's interface as is used here; it comes without types. */
declare module 'html-to-text' {
  interface Selector {
    readonly selector: string
    readonly format?: string
    readonly options?: Readonly<Record<string, unknown>>
  }

  interface Options {
    readonly baseElements?: { readonly selectors: readonly string[] }
    readonly limits?: { readonly maxDepth?: number; readonly maxChildNodes?: number; readonly ellipsis?: string }
    readonly selectors?: readonly Selector[]
    readonly wordwrap?: number | false
  }

  export const compile: (options: Options) => (html: string) => string
}
