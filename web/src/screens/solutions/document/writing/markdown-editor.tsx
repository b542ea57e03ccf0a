import { autocompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands'
import { markdownKeymap } from '@codemirror/lang-markdown'
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, type Extension, type StateCommand } from '@codemirror/state'
import { Decoration, EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { ActionIcon, Group, Tooltip } from '@mantine/core'
import {
  IconBlockquote,
  IconBold,
  IconCode,
  IconHeading,
  IconItalic,
  IconLink,
  IconList,
  IconListCheck,
  IconListNumbers,
  IconTable,
} from '@tabler/icons-react'
import { getNonce } from 'get-nonce'
import { useEffect, useRef } from 'react'
import { t } from '../../../../language/messages.ts'
import {
  CHECKLIST,
  HEADING,
  inItem,
  insertCode,
  insertLink,
  insertTable,
  LIST,
  moveInTable,
  NUMBERED_LIST,
  QUOTE,
  toggleAround,
  toggleLines,
} from './commands.ts'
import { boundedMarkdown } from './markdown-language.ts'
import { completeReference, pasteLinks } from './references.ts'
import classes from './writing.module.css'

const TOOLS = [
  { label: t('Heading'), Icon: IconHeading, command: toggleLines(HEADING) },
  { label: t('Bold (Ctrl B)'), Icon: IconBold, command: toggleAround('**') },
  { label: t('Italic (Ctrl I)'), Icon: IconItalic, command: toggleAround('_') },
  { label: t('Link (Ctrl K)'), Icon: IconLink, command: insertLink },
  { label: t('List'), Icon: IconList, command: toggleLines(LIST) },
  { label: t('Numbered list'), Icon: IconListNumbers, command: toggleLines(NUMBERED_LIST) },
  { label: t('Checklist'), Icon: IconListCheck, command: toggleLines(CHECKLIST) },
  { label: t('Table'), Icon: IconTable, command: insertTable },
  { label: t('Quote'), Icon: IconBlockquote, command: toggleLines(QUOTE) },
  { label: t('Code'), Icon: IconCode, command: insertCode },
] as const

/** What Markdown has marks for, as buttons. */
const Toolbar = ({ onCommand }: { readonly onCommand: (command: StateCommand) => void }) => (
  <Group role="toolbar" aria-label={t('Format')} gap={2} wrap="wrap">
    {TOOLS.map(({ label, Icon, command }) => (
      <Tooltip key={label} label={label}>
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => onCommand(command)}>
          <Icon size={18} />
        </ActionIcon>
      </Tooltip>
    ))}
  </Group>
)

const MARKDOWN_STYLE = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--mantine-color-anchor)' },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: 'var(--mantine-color-dimmed)' },
])

const OWN_DIRECTION = Decoration.line({ attributes: { dir: 'auto' } })

/** Each line that is shown stands as its own script is written. */
const ownDirections: Extension = [
  EditorView.perLineTextDirection.of(true),
  EditorView.decorations.of(({ state: { doc }, visibleRanges }) =>
    Decoration.set(
      visibleRanges.flatMap(({ from, to }) => {
        const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number]
        return Array.from({ length: last - first + 1 }, (_, index) => OWN_DIRECTION.range(doc.line(first + index).from))
      }),
    ),
  ),
]

const WITHOUT_HANDLERS: Extension = [
  history(),
  boundedMarkdown(),
  syntaxHighlighting(MARKDOWN_STYLE),
  // As far as the text of a numbered item, the least by which another one is inside of it.
  indentUnit.of('   '),
  autocompletion({ override: [completeReference], icons: false }),
  pasteLinks,
  EditorView.lineWrapping,
  ownDirections,
  EditorView.contentAttributes.of({ 'aria-label': t('Living Document, Markdown'), spellcheck: 'true', dir: 'auto' }),
]

/**
 * Bold, italic and links by key. Tab goes from cell to cell and indents an item; elsewhere, and behind Esc, it leaves
 * the editor as it leaves any field.
 */
const keysOf = (save: () => void) =>
  keymap.of([
    {
      key: 'Mod-s',
      preventDefault: true,
      run: () => {
        save()
        return true
      },
    },
    { key: 'Mod-b', run: toggleAround('**') },
    { key: 'Mod-i', run: toggleAround('_') },
    { key: 'Mod-k', run: insertLink, preventDefault: true, stopPropagation: true },
    { key: 'Tab', run: moveInTable(1), shift: moveInTable(-1) },
    { key: 'Tab', run: inItem(indentMore), shift: inItem(indentLess) },
    ...markdownKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ])

interface Props {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly onSave: () => void
  /** How often somebody asked to write: it takes the focus each time, and none at zero. */
  readonly requests: number
}

/** Edits Markdown as the text that it is: lists go on by themselves, and what is written looks like what it means. */
export const MarkdownEditor = ({ text, onChange, onSave, requests }: Props) => {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const handlers = useRef(new Compartment())
  const begun = useRef(text)

  useEffect(() => {
    if (host.current === null) return
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: begun.current,
        extensions: [WITHOUT_HANDLERS, handlers.current.of([]), EditorView.cspNonce.of(getNonce() ?? '')],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    // What whoever asked to write types next belongs here, and is no key of the page. For whoever only comes back to a
    // page with a begun edit, it is one.
    if (requests > 0) view.current?.focus()
  }, [requests])

  useEffect(() => {
    const listener = EditorView.updateListener.of(
      ({ docChanged, state }) => docChanged && onChange(state.doc.toString()),
    )
    view.current?.dispatch({ effects: handlers.current.reconfigure([keysOf(onSave), listener]) })
  }, [onChange, onSave])

  useEffect(() => {
    const { current } = view
    // Two edits were brought together: the text is another than the one that was written here.
    if (current === null || current.state.doc.toString() === text) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
  }, [text])

  return (
    <div className={classes.editor}>
      <Toolbar
        onCommand={command => {
          if (view.current === null) return
          command(view.current)
          view.current.focus()
        }}
      />
      <div ref={host} className={classes.text} />
    </div>
  )
}
