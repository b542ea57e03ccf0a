import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { When } from '../../parts/when.tsx'
import { type Change, KINDS, type Kind, type Within } from './change.ts'
import classes from './changes.module.css'

interface Props {
  readonly kind: Kind
  readonly within: Within
  readonly changes: readonly Change[]
}

/** Changes of one kind, the newest first, each leading to what changed. */
export const ChangeLines = ({ kind, within, changes }: Props) => (
  <ul className={classes.lines}>
    {changes.map((change, place) => {
      const { at, reference, title, message } = change
      const address = KINDS[kind].addressOf(change, within)
      return (
        // One object may change several times in the same moment, and the list only grows at its end.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={`${reference} ${at} ${place}`}>
          <span className={classes.what}>
            {address === null ? (
              reference
            ) : (
              <Anchor component={Link} to={address} size="sm" {...(reference !== null && { ff: 'monospace' })}>
                {reference ?? title}
              </Anchor>
            )}
          </span>
          {reference !== null && <bdi className={classes.title}>{title}</bdi>}
          <bdi className={classes.says}>{message}</bdi>
          {at !== null && (
            <span className={classes.when}>
              <When at={at} />
            </span>
          )}
        </li>
      )
    })}
  </ul>
)
