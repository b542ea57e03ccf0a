import { Text } from '@mantine/core'
import { Fragment } from 'react'
import { Reference } from '../reference.tsx'
import classes from './discussion.module.css'
import { partsOf } from './parts-of.ts'

interface Props {
  readonly text: string
  /** The names of whom it names. */
  readonly names: readonly string[]
}

/** What somebody wrote, as text, in its own writing direction: with references as links, and whom it names marked. */
export const Said = ({ text, names }: Props) => (
  <Text component="div" size="sm" dir="auto" className={classes.said ?? ''}>
    {partsOf(text, names).map(({ kind, at, part }) => (
      <Fragment key={at}>
        {kind === 'reference' ? (
          <Reference of={part.toUpperCase()} />
        ) : kind === 'name' ? (
          <span className={classes.name}>{part}</span>
        ) : (
          part
        )}
      </Fragment>
    ))}
  </Text>
)
