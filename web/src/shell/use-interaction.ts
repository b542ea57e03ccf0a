import { useEffect, useState } from 'react'

const USES = ['keydown', 'pointerdown', 'pointermove'] as const
/** Then it is there even for whoever only looks. */
const LATEST_MS = 5000

/**
 * False until somebody begins to use the page, or looked at it for a while: what nobody sees at first is loaded then.
 */
export const useIsUsed = (): boolean => {
  const [isUsed, setUsed] = useState(false)
  useEffect(() => {
    if (isUsed) return
    const used = () => setUsed(true)
    const timer = setTimeout(used, LATEST_MS)
    for (const use of USES) addEventListener(use, used, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const use of USES) removeEventListener(use, used)
    }
  }, [isUsed])
  return isUsed
}
