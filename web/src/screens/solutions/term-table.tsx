import { Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { clip } from '../../parts/clip.ts'
import { Reference } from '../../parts/reference.tsx'
import { counted, priority, share } from './figures.ts'
import classes from './score-explanation.module.css'

type Term = Output<'explain_priority'>['items'][number]

const MOST_CHARACTERS = 60

/** Every actor’s term with its share; opened, the signals that it is made of. */
export const TermTable = ({ terms }: { readonly terms: readonly Term[] }) => (
  <table className={classes.terms}>
    <thead>
      <tr>
        <th scope="col">Actor</th>
        <th scope="col">Weight</th>
        <th scope="col">Term</th>
        <th scope="col">Share</th>
      </tr>
    </thead>
    {terms.map((term, place) => (
      // The heaviest first, as of one moment: their order never changes.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <TermRows key={place} term={term} />
    ))}
  </table>
)

const TermRows = ({ term }: { readonly term: Term }) => {
  const [opened, setOpened] = useState(false)
  const name = clip(term.actor_name ?? 'Nobody named', MOST_CHARACTERS)
  return (
    <tbody>
      <tr>
        <th scope="row">
          <UnstyledButton className={classes.actor ?? ''} aria-expanded={opened} onClick={() => setOpened(!opened)}>
            <IconChevronRight size={14} className={classes.chevron} aria-hidden />
            <span>
              <bdi>{name}</bdi>
              {term.source !== null && (
                <Text span c="dimmed" fz="xs" display="block">
                  <bdi>{clip(term.source, MOST_CHARACTERS)}</bdi>
                </Text>
              )}
            </span>
          </UnstyledButton>
        </th>
        <td>{priority(term.weight)}</td>
        <td>{priority(term.term)}</td>
        <td>
          <span className={classes.share}>
            <span className={classes.bar}>
              <span style={{ width: `${term.share * 100}%` }} />
            </span>
            {share(term.share)}
          </span>
        </td>
      </tr>
      {opened &&
        term.signals.map(({ signal, signal_origin, times, weight, share: of }) => (
          <tr key={signal} className={classes.signal}>
            <th scope="row">
              <Reference of={signal} /> {signal_origin}, {counted(times, 'time')}
            </th>
            <td>{priority(weight)}</td>
            <td />
            <td>{share(of)}</td>
          </tr>
        ))}
    </tbody>
  )
}
