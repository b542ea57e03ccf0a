import type { ComponentProps } from 'react'
import { ScrollingTable } from './lists.tsx'
import classes from './stacking-table.module.css'

/**
 * A table that scrolls sideways where it has too little room. On a phone its rows are paragraphs: a cell with
 * `data-whole` has a line of its own there, and one with `data-label` begins with what its column is called.
 */
export const StackingTable = (table: ComponentProps<typeof ScrollingTable>) => (
  <div className={classes.stacks}>
    <ScrollingTable {...table} />
  </div>
)
