import { useEffect } from 'react'

/** Prints in the light scheme, whichever the screen has: ink is for paper. */
export const useLightPrint = (): void =>
  useEffect(() => {
    const root = document.documentElement
    const print = matchMedia('print')
    let before: string | undefined
    const change = () => {
      if (print.matches) {
        before = root.dataset.mantineColorScheme
        root.dataset.mantineColorScheme = 'light'
      } else if (before !== undefined) root.dataset.mantineColorScheme = before
    }
    print.addEventListener('change', change)
    return () => print.removeEventListener('change', change)
  }, [])
