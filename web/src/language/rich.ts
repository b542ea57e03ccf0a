import { createElement, Fragment, type ReactNode } from 'react'
import { language, translated } from './messages.ts'

type Part = ReactNode | ((inner: ReactNode) => ReactNode)

/** A value in braces, or words between tags; the groups capture the name and the words. */
const PARTS = /\{(\w+)\}|<(\w+)>([^<]*)<\/\2>/g

/**
 * A message with elements in it: `rich('Read <link>the manual</link>, {name}.', { link: inner => <a
 * href="…">{inner}</a>, name: <b>…</b> })`. Each language puts them where they belong.
 */
export const rich = (message: string, parts: Readonly<Record<string, Part>>): ReactNode =>
  made(translated(message), parts)

const written = (part: ReactNode): ReactNode => (typeof part === 'number' ? part.toLocaleString(language) : part)

const made = (text: string, parts: Readonly<Record<string, Part>>): ReactNode => {
  const nodes: ReactNode[] = []
  let end = 0
  for (const found of text.matchAll(PARTS)) {
    const [whole, name, tag, inner = ''] = found
    const part = parts[name ?? tag ?? '']
    nodes.push(text.slice(end, found.index), typeof part === 'function' ? part(made(inner, parts)) : written(part))
    end = found.index + whole.length
  }
  nodes.push(text.slice(end))
  return createElement(Fragment, null, ...nodes)
}
