import { useEffect, useState } from 'react'
import { MINUTE_MS } from './duration.ts'
import { relative } from './relative.ts'

interface Props {
  /** ISO 8601. */
  readonly at: string
}

/** How long ago something was, which goes on counting; the exact time is its title. */
export const When = ({ at }: Props) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  const date = new Date(at)
  return (
    <time dateTime={at} title={date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })}>
      {relative(date, new Date(now))}
    </time>
  )
}
