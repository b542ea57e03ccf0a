import { Button, Table, type TableProps, Text } from '@mantine/core'
import type { MouseEvent as ReactMouseEvent, ReactNode } from 'react'
import { language, t } from '../language/messages.ts'

/** What has an effect of its own within a row. */
const OWN = 'a, button, input, label, select, textarea, [role=button]'

/**
 * Follows the first link of the row that was clicked on, as a click on the link would: in another tab with Ctrl or ⌘.
 */
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

interface Props {
  readonly label: string
  /** Below this width, in pixels, it scrolls sideways by itself. */
  readonly minWidth: number
  readonly children: ReactNode
}

/**
 * Room for a table that a phone is too narrow for: it scrolls, and not the page; by keyboard too, whatever is in it.
 */
export const ScrollingTable = ({ label, minWidth, children }: Props) => (
  <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="region" aria-label={label}>
    {children}
  </Table.ScrollContainer>
)

interface MoreButtonProps {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** Reads the next page of a list; nothing at its end. */
export const MoreButton = ({ query }: MoreButtonProps) =>
  query.hasNextPage ? (
    <Button
      variant="default"
      size="xs"
      mt="md"
      loading={query.isFetchingNextPage}
      onClick={() => query.fetchNextPage()}
    >
      {t('Show more')}
    </Button>
  ) : null

interface FigureProps {
  readonly label: string
  readonly value: ReactNode
  /** What the number is measured in, or against. */
  readonly about?: ReactNode
}

/** A number with what it counts. Put several in a `Group` or a `SimpleGrid`, inside of a `dl`. */
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
