import { spotlight } from '@mantine/spotlight'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { readServiceWords } from '../language/messages.ts'
import { loadPart } from '../load-part.ts'
import { readOwnFont } from '../own-font.ts'
import { useIsUsed } from './use-interaction.ts'

const ShownNotices = lazy(loadPart(() => import('./shown-notices.tsx')))

/**
 * Where notices are shown: loaded with the first use of the page, as what they say and the app’s own font are. Nothing
 * is told before.
 */
export const Notices = () => {
  const isUsed = useIsUsed()
  useEffect(() => {
    if (!isUsed) return
    void readServiceWords()
    void readOwnFont()
  }, [isUsed])
  return isUsed ? (
    <Suspense>
      <ShownNotices />
    </Suspense>
  ) : null
}

const CommandPalette = lazy(
  loadPart(() => import('./commands.tsx').then(({ CommandPalette: loaded }) => ({ default: loaded }))),
)

const ForAssistance = lazy(loadPart(() => import('./for-assistance.tsx')))

/** What keeps the focus where it belongs and says which page is there: nothing of it shows, or is needed before. */
export const Assistance = () =>
  useIsUsed() ? (
    <Suspense>
      <ForAssistance />
    </Suspense>
  ) : null

/**
 * The command palette, which comes with the first use of the page. Asked for before it is there, it opens when it is.
 */
export const Palette = () => {
  const isUsed = useIsUsed()
  const [isWanted, setWanted] = useState(false)
  const isThere = useRef(false)
  useEffect(() => {
    let isAsked = false
    const pressed = (event: KeyboardEvent) => {
      if (isThere.current) return
      isAsked ||= (event.ctrlKey || event.metaKey) && event.key === 'k'
      if (!isAsked) return
      setWanted(true)
      // What is typed into it is for no other.
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    addEventListener('keydown', pressed, true)
    return () => removeEventListener('keydown', pressed, true)
  }, [])
  const there = useCallback(() => {
    if (isThere.current) return
    isThere.current = true
    if (isWanted) spotlight.open()
  }, [isWanted])
  return isUsed || isWanted ? (
    <Suspense>
      <CommandPalette onThere={there} />
    </Suspense>
  ) : null
}
