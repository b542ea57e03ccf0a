import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { REFERENCE_PREFIXES, type Referenced } from '../../../schemas/domain/vocabulary.ts'

const SCREENS: Readonly<Record<Referenced, string>> = {
  signal: 'signals',
  claim: 'claims',
  solution: 'solutions',
  decision: 'decisions',
}

/** Where in the app a reference leads; null for a text that is none. */
export const addressOfReference = (reference: string): string | null => {
  const [, prefix, number] = /^([a-z]{3})-(\d{1,9})$/i.exec(reference) ?? []
  const referenced = Object.entries(REFERENCE_PREFIXES).find(([, known]) => known === prefix?.toUpperCase())
  // The keys of `REFERENCE_PREFIXES` are what `Referenced` lists.
  return referenced === undefined ? null : `/app/${SCREENS[referenced[0] as Referenced]}/${referenced[1]}-${number}`
}

interface Props {
  /** `SIG-7`, `CLM-3`, `SOL-12` or `DEC-4`. */
  readonly of: string
}

/** A reference as a link to its screen. */
export const Reference = ({ of }: Props) => (
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
