declare module 'virtual:messages' {
  import type { Catalogue, Language } from './languages.ts'
  import type { Templates } from './templates.ts'

  /** Messages of a file of the app; for a file that shows the service's stored texts, their translations as well. */
  interface Part {
    readonly default: Catalogue
    readonly stored?: Templates
  }
  /** By language, then by the app's file; `''` has the first messages. */
  const parts: Readonly<Partial<Record<Language, Readonly<Record<string, () => Promise<Part>>>>>>
  export default parts

  /** Texts of the service, by language. */
  export const ofService: Readonly<
    Partial<Record<Language, () => Promise<{ readonly default: (text: string) => string }>>>
  >
}
