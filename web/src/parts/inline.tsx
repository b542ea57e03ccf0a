import { Anchor } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { MINUTE_MS } from '../../../schemas/domain/durations.ts'
import { REFERENCE_PREFIXES, type Referenced } from '../../../schemas/domain/vocabulary.ts'
import { moments, t } from '../language/messages.ts'
import { clip, happenedOf, relative } from './formats.ts'

interface Props {
  /** Time of the event, ISO 8601. */
  readonly at: string
  /** Time of the receipt, ISO 8601, for a text from elsewhere. */
  readonly received?: string | undefined
}

/**
 * The age of an event, updated continuously; its title has the exact time, and the time of receipt when it was later.
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
    // Own direction: `29 min. ago` begins with a number.
    <time dateTime={happened.toISOString()} title={title} dir="auto" style={{ whiteSpace: 'nowrap' }}>
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

/** The app's address of a reference; null for any other text. */
export const addressOfReference = (reference: string): string | null => {
  const [, prefix, number] = /^([a-z]{3})-(\d{1,9})$/i.exec(reference) ?? []
  const referenced = Object.entries(REFERENCE_PREFIXES).find(([, known]) => known === prefix?.toUpperCase())
  // `Referenced` lists the keys of `REFERENCE_PREFIXES`.
  return referenced === undefined ? null : `/app/${SCREENS[referenced[0] as Referenced]}/${referenced[1]}-${number}`
}

interface ReferenceProps {
  /** `SIG-7`, `CLM-3`, `SOL-12`, `DEC-4` or `THM-2`. */
  readonly of: string
  /** The title beside it, where the keys of a list go from link to link: a person may hear the link alone. */
  readonly about?: string
}

/** So much of a title or a text a screen reader says of a row. */
const SAID_CHARACTERS = 200

/** A reference as a link to its screen. */
export const Reference = ({ of, about }: ReferenceProps) => (
  <Anchor
    component={Link}
    to={addressOfReference(of) ?? '/app'}
    size="sm"
    ff="monospace"
    style={{ whiteSpace: 'nowrap' }}
    {...(about !== undefined && { 'aria-description': clip(about, SAID_CHARACTERS) })}
  >
    {of}
  </Anchor>
)
