declare module 'virtual:messages' {
  import type { Catalogue, Language } from './languages.ts'
  import type { Templates } from './templates.ts'

  /** What a file of the app says; of one that shows what the service stored, how that is said too. */
  interface Part {
    readonly default: Catalogue
    readonly stored?: Templates
  }
  /** By language, and in it by the file that the app loads; `''`: what it says at first. */
  const parts: Readonly<Partial<Record<Language, Readonly<Record<string, () => Promise<Part>>>>>>
  export default parts

  /** By language: what the service says. */
  export const ofService: Readonly<
    Partial<Record<Language, () => Promise<{ readonly default: (text: string) => string }>>>
  >
}
