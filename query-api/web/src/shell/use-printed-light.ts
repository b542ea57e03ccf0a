import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'

const SCHEME = 'data-mantine-color-scheme'

/** Paper is white: while a page is laid out for it, the colours are the light ones. */
export const usePrintedLight = (): void => {
  const scheme = useComputedColorScheme('light')
  const onScreen = useRef(scheme)
  onScreen.current = scheme
  useEffect(() => {
    const paper = matchMedia('print')
    const change = () => document.documentElement.setAttribute(SCHEME, paper.matches ? 'light' : onScreen.current)
    paper.addEventListener('change', change)
    return () => paper.removeEventListener('change', change)
  }, [])
}
