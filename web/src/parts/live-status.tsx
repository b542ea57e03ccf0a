import { type ReactNode, useEffect, useState } from 'react'

/** A screen reader has taken note of the region by then. */
const NOTED_MS = 150

/**
 * What came of something that a person did here, while the focus stays where it is: a screen reader says it. Of a
 * region that comes into the page together with its words many say nothing. So it comes without any: they have their
 * place at once, and are there a moment later.
 */
export const LiveStatus = ({ children }: { readonly children: ReactNode }) => {
  const [isNoted, setNoted] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setNoted, NOTED_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" style={{ display: 'contents', ...(!isNoted && { visibility: 'hidden' }) }}>
      {children}
    </div>
  )
}
