import { Button, Table, type TableProps, type TableThProps, Text, VisuallyHidden } from '@mantine/core'
import type { MouseEvent as ReactMouseEvent, ReactNode } from 'react'
import { language, plural, t } from '../language/messages.ts'

/** Elements with their own effect within a row. */
const OWN = 'a, button, input, label, select, textarea, [role=button]'

/** Follows the first link of the clicked row, like a click on the link: in another tab with Ctrl or ⌘. */
const follow = (event: ReactMouseEvent) => {
  const { target, ctrlKey, metaKey, shiftKey } = event
  if (!(target instanceof Element) || target.closest(OWN) !== null) return
  // A person who selects text in the row wants to copy it.
  if (getSelection()?.type === 'Range') return
  const link = target.closest('tbody tr')?.querySelector('a[href]')
  link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }))
}

/** What a row of such a table does in place of being followed, where somebody presses it with Shift. */
export const pressedWithShift = (run: () => void) => {
  const isFor = ({ shiftKey, target }: ReactMouseEvent) =>
    shiftKey && target instanceof Element && target.closest(OWN) === null
  return {
    // Otherwise the browser selects the text between two presses.
    onMouseDown: (event: ReactMouseEvent) => isFor(event) && event.preventDefault(),
    onClick: (event: ReactMouseEvent) => {
      if (!isFor(event)) return
      event.stopPropagation()
      run()
    },
  }
}

/** A table whose rows lead to their objects. */
export const LinkedTable = (table: TableProps) => (
  // Keyboards and screen readers use the link in the row.
  <Table highlightOnHover data-linked onClick={follow} {...table} />
)

interface Props {
  readonly label: string
  /** Below this width, in pixels, the table scrolls sideways. */
  readonly minWidth: number
  readonly children: ReactNode
}

/** Container of a table that is too wide for phones: the table scrolls instead of the page, by keyboard too. */
export const ScrollingTable = ({ label, minWidth, children }: Props) => (
  <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="region" aria-label={label}>
    {children}
  </Table.ScrollContainer>
)

/** Head of a column of buttons, for screen readers alone. It scrolls with its table. */
export const QuietHead = ({ label, ...head }: TableThProps & { readonly label: string }) => (
  <Table.Th pos="relative" {...head}>
    <VisuallyHidden>{label}</VisuallyHidden>
  </Table.Th>
)

interface MoreButtonProps {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
    readonly data: { readonly pages: readonly unknown[] } | undefined
  }
}

/** Reads the next page of a list, and announces it; nothing at the end. */
export const MoreButton = ({ query: { hasNextPage, isFetchingNextPage, fetchNextPage, data } }: MoreButtonProps) => {
  const pages = data?.pages.length ?? 0
  return (
    <>
      {hasNextPage && (
        <Button variant="default" size="xs" mt="md" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
      <VisuallyHidden role="status">
        {pages > 1 && plural(pages, '{number} page is listed.', '{number} pages are listed.')}
      </VisuallyHidden>
    </>
  )
}

interface FigureProps {
  readonly label: string
  readonly value: ReactNode
  /** Unit of the number, or its reference. */
  readonly about?: ReactNode
}

/** A number with its label. Put several in a `Group` or a `SimpleGrid`, inside a `dl`. */
export const Figure = ({ label, value, about }: FigureProps) => (
  <div>
    <Text component="dt" size="xs" c="dimmed">
      {label}
    </Text>
    <Text component="dd" m={0} fz="xl" fw={600} lh={1.3}>
      {typeof value === 'number' ? value.toLocaleString(language) : value}
    </Text>
    {about !== undefined && (
      <Text component="dd" m={0} size="xs" c="dimmed">
        {about}
      </Text>
    )}
  </div>
)
