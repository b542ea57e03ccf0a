import { useEffect } from 'react'

const SCHEME = 'data-mantine-color-scheme'

/** Paper is white: while the page is laid out for it, the colours are the light ones. */
export const usePrintedLight = (): void => {
  useEffect(() => {
    const paper = matchMedia('print')
    const root = document.documentElement
    let shown = root.getAttribute(SCHEME)
    const restore = () => {
      if (shown !== null) root.setAttribute(SCHEME, shown)
    }
    const change = () => {
      if (!paper.matches) return restore()
      shown = root.getAttribute(SCHEME)
      root.setAttribute(SCHEME, 'light')
    }
    paper.addEventListener('change', change)
    return () => {
      paper.removeEventListener('change', change)
      if (paper.matches) restore()
    }
  }, [])
}
