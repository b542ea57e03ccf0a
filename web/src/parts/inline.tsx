import { Anchor } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { MINUTE_MS } from '../../../schemas/domain/durations.ts'
import { REFERENCE_PREFIXES, type Referenced } from '../../../schemas/domain/vocabulary.ts'
import { moments, t } from '../language/messages.ts'
import { happenedOf, relative } from './formats.ts'

interface Props {
  /** ISO 8601: when it happened. */
  readonly at: string
  /** ISO 8601: when it came in, of what somebody said elsewhere before. */
  readonly received?: string | undefined
}

/**
 * How long ago something happened, which goes on counting; the exact time is its title, and when it came in where that
 * was later.
 */
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
    // In its own direction, wherever it stands: `29 min. ago` begins with the number.
    <time dateTime={happened.toISOString()} title={title} dir="auto">
      {relative(happened, new Date(now))}
    </time>
  )
}

const inFull = (date: Date): string => date.toLocaleString(moments, { dateStyle: 'full', timeStyle: 'long' })

const SCREENS: Readonly<Record<Referenced, string>> = {
  signal: 'signals',
  claim: 'claims',
  solution: 'solutions',
  decision: 'decisions',
  theme: 'themes',
}

/** Where in the app a reference leads; null for a text that is none. */
export const addressOfReference = (reference: string): string | null => {
  const [, prefix, number] = /^([a-z]{3})-(\d{1,9})$/i.exec(reference) ?? []
  const referenced = Object.entries(REFERENCE_PREFIXES).find(([, known]) => known === prefix?.toUpperCase())
  // The keys of `REFERENCE_PREFIXES` are what `Referenced` lists.
  return referenced === undefined ? null : `/app/${SCREENS[referenced[0] as Referenced]}/${referenced[1]}-${number}`
}

interface ReferenceProps {
  /** `SIG-7`, `CLM-3`, `SOL-12`, `DEC-4` or `THM-2`. */
  readonly of: string
}

/** A reference as a link to its screen. */
export const Reference = ({ of }: ReferenceProps) => (
  <Anchor
    component={Link}
    to={addressOfReference(of) ?? '/app'}
    size="sm"
    ff="monospace"
    style={{ whiteSpace: 'nowrap' }}
  >
    {of}
  </Anchor>
)
