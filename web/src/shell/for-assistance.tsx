import { VisuallyHidden } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { explainHeadings } from './explained-headings.ts'
import { keepFocus } from './kept-focus.ts'
import { SAID } from './say.ts'

interface Said {
  readonly id: number
  readonly text: string
}

/** So much of what was said stays where it can be read again. */
const KEPT = 3

/** What `say` was told last, each by itself: the same words are new again, and none replaces what is not heard yet. */
const useSaid = (): readonly Said[] => {
  const [said, setSaid] = useState<readonly Said[]>([])
  useEffect(() => {
    let id = 0
    const hear = (event: Event) => {
      if (!(event instanceof CustomEvent)) return
      id += 1
      const last: Said = { id, text: String(event.detail) }
      setSaid(before => [...before, last].slice(-KEPT))
    }
    addEventListener(SAID, hear)
    return () => removeEventListener(SAID, hear)
  }, [])
  return said
}

/**
 * Says which page is there now: where only a part of the document changes, a screen reader says nothing by itself. And
 * what the app’s words mean, on every heading and state that the pointer is over.
 */
const ForAssistance = () => {
  useEffect(keepFocus, [])
  useEffect(explainHeadings, [])
  const news = useSaid()
  const { pathname } = useLocation()
  const [said, setSaid] = useState({ pathname, title: '' })
  // Of the screen before: what is rendered for another address has not changed it yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read once for each address
  const before = useMemo(() => document.title, [pathname])
  useEffect(() => {
    if (said.pathname === pathname) return
    // Between two screens the page has the title of neither: `Assay`.
    const look = () => {
      if (document.title !== before && document.title.includes(' · ')) setSaid({ pathname, title: document.title })
    }
    // A part of the same screen has its title at once. A screen that is still loaded has that of the one before.
    look()
    const observer = new MutationObserver(look)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [pathname, said, before])
  return (
    <>
      <VisuallyHidden role="status" id="shown-page">
        {said.title}
      </VisuallyHidden>
      <VisuallyHidden role="log" id="said">
        {news.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </VisuallyHidden>
    </>
  )
}

export default ForAssistance
// It explains the same words as the headings do, which come in one file.
export { Words } from './words.tsx'
