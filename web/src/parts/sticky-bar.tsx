import { Group, type GroupProps } from '@mantine/core'
import classes from './sticky-bar.module.css'

/** What can be done with the rows below it, in sight wherever one is among them. */
export const StickyBar = (props: GroupProps) => <Group gap="sm" className={classes.bar ?? ''} {...props} />
