import { MergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { getNonce } from 'get-nonce'
import { useEffect, useRef } from 'react'
import { boundedMarkdown } from './markdown-language.ts'
import classes from './writing.module.css'

/** So many lines around a change stay; so many that are the same are folded. */
const KEPT_LINES = 3
const MIN_FOLDED_LINES = 6
/** Comparing two texts that have little in common ends after so many milliseconds, and is coarser then. */
const TIMEOUT_MS = 500

const readOnly = (label: string): Extension => [
  boundedMarkdown(),
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.lineWrapping,
  EditorView.cspNonce.of(getNonce() ?? ''),
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0', dir: 'auto' }),
]

interface Props {
  readonly before: { readonly label: string; readonly text: string }
  readonly after: { readonly label: string; readonly text: string }
}

/** Two texts beside each other, with what changed marked to the word. */
export const SideBySide = ({ before, after }: Props) => {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return
    const view = new MergeView({
      parent: host.current,
      a: { doc: before.text, extensions: readOnly(before.label) },
      b: { doc: after.text, extensions: readOnly(after.label) },
      collapseUnchanged: { margin: KEPT_LINES, minSize: MIN_FOLDED_LINES },
      gutter: true,
      diffConfig: { scanLimit: 1000, timeout: TIMEOUT_MS },
    })
    return () => view.destroy()
  }, [before.text, before.label, after.text, after.label])
  return <div ref={host} className={classes.compared} />
}
