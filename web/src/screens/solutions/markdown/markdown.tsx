import { Anchor } from '@mantine/core'
import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react'
import { t } from '../../../language/messages.ts'
import { Reference } from '../../../parts/inline.tsx'
import type { Block, List, ListItem } from './blocks.ts'
import type { Definitions } from './definitions.ts'
import type { Inline } from './inline-nodes.ts'
import classes from './markdown.module.css'
import { parseBlocks } from './parse-blocks.ts'
import { parseInline } from './parse-inline.ts'

type Tick = (line: number) => void
const Ticks = createContext<Tick | null>(null)
const DefinitionsContext = createContext<Definitions>(new Map())

interface Props {
  readonly text: string
  /** Called with the line of a task, from 0, whose box is pressed. Without it the boxes only show. */
  readonly onTick?: Tick
}

/** Markdown as elements of the page: what is no Markdown, HTML above all, shows as the text that it is. */
export const Markdown = ({ text, onTick }: Props) => {
  const { blocks, definitions } = useMemo(() => parseBlocks(text), [text])
  return (
    <div className={classes.markdown} dir="auto">
      <Ticks value={onTick ?? null}>
        <DefinitionsContext value={definitions}>
          <Blocks blocks={blocks} />
        </DefinitionsContext>
      </Ticks>
    </div>
  )
}

/** The pieces of one text. */
const inOrder = <Item,>(items: readonly Item[], show: (item: Item) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: their order is what they are known by
  items.map((item, place) => <Fragment key={place}>{show(item)}</Fragment>)

const Blocks = ({ blocks }: { readonly blocks: readonly Block[] }) =>
  inOrder(blocks, block => <BlockOf block={block} />)

/** A document’s headings are below those of the page. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const

const BlockOf = ({ block }: { readonly block: Block }): ReactNode => {
  switch (block.kind) {
    case 'heading': {
      const Heading = HEADINGS[block.level - 1] ?? 'h6'
      return (
        <Heading data-level={block.level} dir="auto">
          <Inlines text={block.text} />
        </Heading>
      )
    }
    case 'paragraph':
      return (
        <p dir="auto">
          <Inlines text={block.text} />
        </p>
      )
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'quote':
      return (
        <blockquote dir="auto">
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case 'list':
      return <ListOf {...block} />
    case 'table':
      return <TableOf {...block} />
    case 'rule':
      return <hr />
  }
}

const Task = ({ done, line, label }: { readonly done: boolean; readonly line: number; readonly label: string }) => {
  const tick = useContext(Ticks)
  return (
    <input
      type="checkbox"
      className={classes.task}
      aria-label={label}
      checked={done}
      disabled={tick === null}
      onChange={() => tick?.(line)}
    />
  )
}

const ListOf = ({ start, isTight, items }: List): ReactNode => {
  const shown = inOrder(items, item => <ItemOf {...item} isTight={isTight} />)
  return start === null ? <ul>{shown}</ul> : <ol start={start}>{shown}</ol>
}

const ItemOf = ({ done, line, blocks, isTight }: ListItem & Pick<List, 'isTight'>): ReactNode => {
  const [first, ...rest] = blocks
  // The text of a short item stands without the room around a paragraph, and that of a task beside its box.
  const isShort = isTight || done !== null || rest.length === 0
  return (
    <li data-task={done === null ? undefined : true} dir="auto">
      {done !== null && <Task done={done} line={line} label={first?.kind === 'paragraph' ? first.text : t('Task')} />}
      {first?.kind === 'paragraph' && isShort ? <Inlines text={first.text} /> : first && <BlockOf block={first} />}
      <Blocks blocks={rest} />
    </li>
  )
}

const TableOf = ({
  head,
  rows,
}: {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  <section className={classes.scrolled} tabIndex={0} aria-label={t('Table')}>
    <table>
      <thead>
        <tr>
          {inOrder(head, cell => (
            <th dir="auto">
              <Inlines text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {inOrder(rows, row => (
          <tr>
            {inOrder(row, cell => (
              <td dir="auto">
                <Inlines text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const Inlines = ({ text }: { readonly text: string }) => {
  const definitions = useContext(DefinitionsContext)
  const pieces = useMemo(() => parseInline(text, definitions), [text, definitions])
  return inOrder(pieces, piece => InlineOf(piece))
}

const TAGS = { strong: 'strong', emphasis: 'em', struck: 's' } as const

const InlineOf = (piece: Inline, isInLink = false): ReactNode => {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'code':
      return <code>{piece.text}</code>
    case 'break':
      return <br />
    case 'reference':
      return <Reference of={piece.text} />
    case 'link': {
      // An image is a link too: what a stranger has put elsewhere is not loaded for everybody who reads.
      const words = inOrder(piece.children, child => InlineOf(child, true))
      if (isInLink) return words
      return (
        <Anchor href={piece.href} title={piece.title ?? undefined} target="_blank" rel="noreferrer nofollow" inherit>
          {words}
        </Anchor>
      )
    }
    default: {
      const Tag = TAGS[piece.kind]
      return <Tag>{inOrder(piece.children, child => InlineOf(child, isInLink))}</Tag>
    }
  }
}
