import { useEffect, useState } from 'react'
import { moments } from '../language/language.ts'
import { t } from '../language/messages.ts'
import { happenedOf, MINUTE_MS, relative } from './formats.ts'

interface Props {
  /** ISO 8601: when it happened. */
  readonly at: string
  /** ISO 8601: when it came in, of what somebody said elsewhere before. */
  readonly received?: string | undefined
}

/** How long ago something happened, which goes on counting; the exact time is its title, and when it came in where that was later. */
export const When = ({ at, received }: Props) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  const { happened, cameIn } = happenedOf(at, received)
  const title =
    cameIn === null
      ? inFull(happened)
      : t('It happened on {happened}.\nIt came in on {cameIn}.', { happened: inFull(happened), cameIn: inFull(cameIn) })
  return (
    <time dateTime={happened.toISOString()} title={title}>
      {relative(happened, new Date(now))}
    </time>
  )
}

const inFull = (date: Date): string => date.toLocaleString(moments, { dateStyle: 'full', timeStyle: 'long' })
