import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { EditorView } from '@codemirror/view'
import { REFERENCE_PREFIXES } from '../../../../../../schemas/domain/vocabulary.ts'
import { slugOfAddress, withoutWorkspace } from '../../../../../../schemas/http/workspace-address.ts'
import { shownWorkspace } from '../../../../api/addresses.ts'
import { call } from '../../../../api/operations.ts'
import { addressOfReference } from '../../../../parts/inline.tsx'

const MAX_SHOWN = 20
/** What a text names by its words; who writes a reference may mean a signal too. */
const NAMED = ['claim', 'solution', 'decision'] as const
const TYPING_MS = 150
const LEAST_TYPED = 2

const PREFIXES = Object.values(REFERENCE_PREFIXES).join('|')
/** `[[` and some words, or the beginning of a reference. */
const TYPED_REFERENCE = new RegExp(`(?:\\[\\[[^[\\]\\n]{0,100}|\\b(?:${PREFIXES})-\\d{0,9})$`)

/** Offers what the workspace's search finds for the words behind `[[`, or for a reference that is being written. */
export const completeReference = async (context: CompletionContext): Promise<CompletionResult | null> => {
  const match = context.matchBefore(TYPED_REFERENCE)
  const query = match?.text.replace(/^\[\[/, '').trim() ?? ''
  if (match === null || query.length < LEAST_TYPED) return null
  await new Promise(resolve => setTimeout(resolve, TYPING_MS))
  if (context.aborted) return null
  // Without the search one writes on.
  const types = match.text.startsWith('[[') ? { types: [...NAMED] } : {}
  const found = await call('lookup_search', { query, ...types, limit: MAX_SHOWN }).catch(() => null)
  if (found === null || context.aborted) return null
  const options = found.data.items.flatMap(({ reference, title }) =>
    reference === null ? [] : [{ label: reference, detail: title, apply: reference }],
  )
  return { from: match.from, options, filter: false }
}

/** The reference that an address of this app's own screens is of; null for any other text. */
const referenceOf = (pasted: string): string | null => {
  const url = URL.canParse(pasted) ? new URL(pasted) : null
  if (url === null || url.origin !== window.location.origin || url.search !== '') return null
  const slug = slugOfAddress(url.pathname)
  const reference = url.pathname.split('/').at(-1) ?? ''
  // A reference is of this workspace: what an address of another one shows stays its address.
  const isHere = slug === null || slug === shownWorkspace()
  return isHere && addressOfReference(reference) === withoutWorkspace(url.pathname) ? reference : null
}

/** A pasted address of this app becomes its reference; any other address makes a link of the selection. */
export const pasteLinks = EditorView.domEventHandlers({
  paste: (event, view) => {
    const pasted = event.clipboardData?.getData('text/plain').trim() ?? ''
    const { from, to } = view.state.selection.main
    const chosen = view.state.sliceDoc(from, to)
    const reference = referenceOf(pasted)
    const insert = reference ?? (chosen !== '' && /^https?:\/\/\S+$/.test(pasted) ? `[${chosen}](${pasted})` : null)
    if (insert === null) return false
    event.preventDefault()
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.paste',
    })
    return true
  },
})
