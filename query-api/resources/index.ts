import { lookupClaim } from '../operations/claims/lookup-claim.ts'
import type { Operation } from '../operations/define.ts'
import { lookupLivingDocument } from '../operations/documents/lookup-living-document.ts'
import { readMap } from '../operations/map/read-map.ts'
import { orientSnapshot } from '../operations/snapshot/orient-snapshot.ts'
import { type Ask, type Completion, claims, solutions } from '../prompts/index.ts'

/** Content of a resource: text, or bytes as base64. */
type Content = { readonly text: string } | { readonly blob: string }

/** Data of the workspace that a person gives their agent as context, by an address. */
export interface Resource {
  /** `assay://map`; an address with `{id}` is a template, whose id the reader fills in. */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  /** Completion of a template's `id`. */
  readonly completion?: Completion
  /** The first few entries of a template, for clients' lists. */
  readonly listed?: (ask: Ask) => Promise<readonly { readonly id: string; readonly title: string }[]>
  /** `id` is empty for an address without one. */
  readonly read: (id: string, ask: Ask) => Promise<Content>
}

const ID = '{id}'

export const isTemplate = ({ uri }: Resource): boolean => uri.includes(ID)

/** Id in an address of the resource, empty without one; null for another address. */
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

/** The longest document has fewer pages. */
const MAX_PAGES = 50

/** All pages of a list or a text, in order. */
const everyPage = async (
  ask: Ask,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown[]> => {
  const pages: unknown[] = []
  let cursor: string | null = null
  do {
    const { data, meta } = await ask(operation, { ...input, ...(cursor === null ? {} : { cursor }) })
    pages.push(data)
    cursor = meta.next_cursor
  } while (cursor !== null && pages.length < MAX_PAGES)
  return pages
}

interface Snapshot {
  readonly top_claims: readonly { readonly reference: string; readonly title: string }[]
}

const LISTED = 20

const map: Resource = {
  uri: 'assay://map',
  name: 'map',
  title: 'The product map',
  description: 'Every node of the product taxonomy, with how many Signals are anchored to it.',
  mimeType: 'application/json',
  read: async (_id, ask) => {
    // Shape of the operation's answer.
    const pages = (await everyPage(ask, readMap, { depth: 'standard', limit: 100 })) as {
      readonly items: readonly unknown[]
    }[]
    return { text: JSON.stringify({ ...pages[0], items: pages.flatMap(({ items }) => items) }) }
  },
}

const claim: Resource = {
  uri: 'assay://claims/{id}',
  name: 'claim',
  title: 'A claim with its evidence',
  description: 'A problem or an Opportunity by its reference, such as CLM-3, with its newest evidence.',
  mimeType: 'application/json',
  completion: claims,
  listed: async ask => {
    // Shape of the operation's answer.
    const { top_claims } = (await ask(orientSnapshot, { limit: LISTED })).data as Snapshot
    return top_claims.map(({ reference, title }) => ({ id: reference, title: `${reference} ${title}` }))
  },
  read: async (id, ask) => ({ text: JSON.stringify((await ask(lookupClaim, { id, depth: 'full' })).data) }),
}

const livingDocument: Resource = {
  uri: 'assay://solutions/{id}/living-document',
  name: 'living_document',
  title: 'A Living Document',
  description: 'The whole text of a Solution, by the Solution’s reference, such as SOL-12.',
  mimeType: 'text/markdown',
  completion: solutions,
  read: async (id, ask) => {
    // Shape of the operation's answer.
    const pages = (await everyPage(ask, lookupLivingDocument, { id, depth: 'full' })) as { readonly text: string }[]
    return { text: pages.map(({ text }) => text).join('') }
  },
}

/** Resources that a person can give their agent, in the order of clients' lists. */
export const resources: readonly Resource[] = [map, claim, livingDocument]
