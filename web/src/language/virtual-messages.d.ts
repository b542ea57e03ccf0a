declare module 'virtual:messages' {
  import type { Catalogue, Language } from './languages.ts'

  /** By language, and in it by the file that the app loads; `''`: what it says at first. */
  const parts: Readonly<
    Partial<Record<Language, Readonly<Record<string, () => Promise<{ readonly default: Catalogue }>>>>>
  >
  export default parts

  /** By language: what the service says. */
  export const ofService: Readonly<
    Partial<Record<Language, () => Promise<{ readonly default: (text: string) => string }>>>
  >
}
