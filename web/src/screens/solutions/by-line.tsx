import { IconRobot } from '@tabler/icons-react'
import { rich } from '../../language/rich.ts'
import classes from './solution.module.css'

interface Props {
  readonly name: string
  /** The label of the key that an agent worked through; null for the app. */
  readonly label: string | null
}

/** Which human it was, and through which key where an agent carried it in. */
export const ByLine = ({ name, label }: Props) => (
  <span className={classes.byLine}>
    <bdi>{name}</bdi>
    {label !== null && (
      <>
        {' '}
        <IconRobot size={13} aria-hidden /> {rich('through the key “{label}”', { label: <bdi>{label}</bdi> })}
      </>
    )}
  </span>
)
