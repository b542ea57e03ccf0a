import { Table, type TableProps } from '@mantine/core'
import type { MouseEvent as ReactMouseEvent } from 'react'

/** What has an effect of its own within a row. */
const OWN = 'a, button, input, label, select, textarea, [role=button]'

/** Follows the first link of the row that was clicked on, as a click on the link would: in another tab with Ctrl or ⌘. */
const follow = (event: ReactMouseEvent) => {
  const { target, ctrlKey, metaKey, shiftKey } = event
  if (!(target instanceof Element) || target.closest(OWN) !== null) return
  // Whoever marks a text of the row wants to copy it.
  if (getSelection()?.type === 'Range') return
  const link = target.closest('tbody tr')?.querySelector('a[href]')
  link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }))
}

/** A table whose rows lead to what they are of, wherever they are clicked on. */
export const LinkedTable = (table: TableProps) => (
  // The link in the row is what a keyboard and a screen reader use.
  <Table highlightOnHover data-linked onClick={follow} {...table} />
)
