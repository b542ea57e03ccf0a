import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Runs `act` once the results of what is typed are there, unless something else is typed meanwhile. Answers the
 * function that asks for it, as for the key Enter.
 */
export const useOnceFound = (typed: string, isStale: boolean, act: () => void): (() => void) => {
  const [awaited, setAwaited] = useState<string | null>(null)
  const settle = useEffectEvent(() => {
    setAwaited(null)
    if (awaited === typed) act()
  })
  useEffect(() => {
    if (awaited !== null && !isStale) settle()
  }, [awaited, isStale])
  return () => setAwaited(typed)
}
