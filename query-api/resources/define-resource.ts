import type { Ask, Completion } from '../prompts/define-prompt.ts'

/** What a resource holds: text, or bytes as base64. */
type Content = { readonly text: string } | { readonly blob: string }

/** Something of the workspace that a person hands to their agent as context, by an address. */
export interface Resource {
  /** `assay://map`; with `{id}` in it a template, whose id a reader fills in. */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  /** Of the `id` of a template. */
  readonly completion?: Completion
  /** Of a template: those that a client lists, the first few. */
  readonly listed?: (ask: Ask) => Promise<readonly { readonly id: string; readonly title: string }[]>
  /** `id` is empty where the address has none. */
  readonly read: (id: string, ask: Ask) => Promise<Content>
}

const ID = '{id}'

export const isTemplate = ({ uri }: Resource): boolean => uri.includes(ID)

/** The id that stands in an address of the resource, empty where it has none; null for another address. */
export const idIn = ({ uri }: Resource, address: string): string | null => {
  const [before = '', after] = uri.split(ID)
  if (after === undefined) return address === uri ? '' : null
  if (!address.startsWith(before) || !address.endsWith(after)) return null
  const id = address.slice(before.length, address.length - after.length)
  if (id === '' || id.includes('/')) return null
  try {
    return decodeURIComponent(id)
  } catch {
    return null
  }
}

export const addressOf = ({ uri }: Resource, id: string): string => uri.replace(ID, encodeURIComponent(id))
