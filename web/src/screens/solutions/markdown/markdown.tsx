import { Anchor } from '@mantine/core'
import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react'
import { t } from '../../../language/messages.ts'
import { Reference } from '../../../parts/inline.tsx'
import classes from './markdown.module.css'
import { type Block, type ListItem, parseBlocks } from './parse-blocks.ts'
import { type Inline, parseInline } from './parse-inline.ts'

type Tick = (line: number) => void
const Ticks = createContext<Tick | null>(null)

interface Props {
  readonly text: string
  /** Called with the line of a task, from 0, whose box is pressed. Without it the boxes only show. */
  readonly onTick?: Tick
}

/** Markdown as elements of the page: what is no Markdown, HTML above all, shows as the text that it is. */
export const Markdown = ({ text, onTick }: Props) => {
  const blocks = useMemo(() => parseBlocks(text), [text])
  return (
    <div className={classes.markdown} dir="auto">
      <Ticks value={onTick ?? null}>
        <Blocks blocks={blocks} />
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
      return block.start === null ? (
        <ul>{inOrder(block.items, ItemOf)}</ul>
      ) : (
        <ol start={block.start}>{inOrder(block.items, ItemOf)}</ol>
      )
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

const ItemOf = ({ done, line, blocks }: ListItem): ReactNode => {
  const [first, ...rest] = blocks
  return (
    <li data-task={done === null ? undefined : true} dir="auto">
      {done !== null && <Task done={done} line={line} label={first?.kind === 'paragraph' ? first.text : t('Task')} />}
      {/* The text of a short item stands without the room around a paragraph. */}
      {first?.kind === 'paragraph' ? <Inlines text={first.text} /> : first && <BlockOf block={first} />}
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
  const pieces = useMemo(() => parseInline(text), [text])
  return inOrder(pieces, InlineOf)
}

const TAGS = { strong: 'strong', emphasis: 'em', struck: 's' } as const

const InlineOf = (piece: Inline): ReactNode => {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'code':
      return <code>{piece.text}</code>
    case 'reference':
      return <Reference of={piece.text} />
    case 'link':
      return (
        <Anchor href={piece.href} target="_blank" rel="noreferrer nofollow" inherit>
          {inOrder(piece.children, InlineOf)}
        </Anchor>
      )
    default: {
      const Tag = TAGS[piece.kind]
      return <Tag>{inOrder(piece.children, InlineOf)}</Tag>
    }
  }
}
