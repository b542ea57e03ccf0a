import { Button, Group } from '@mantine/core'
import { IconCopy, IconPrinter } from '@tabler/icons-react'
import { copyText } from '../../parts/copy-text.ts'
import { useKeys } from '../../shell/keys.ts'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import type { Review } from './review.ts'

/** Taking a review along: on paper, or as the Markdown that agents read. */
export const ReviewActions = ({ review: { text } }: { readonly review: Review }) => {
  const copy = async () => {
    if (await copyText(text)) notifyDone('The review is copied as Markdown.')
    else notifyFailed(new Error('The browser did not let the page copy.'))
  }
  useKeys([{ key: 'p', does: 'Print the review', run: () => print() }])
  return (
    <Group gap="sm">
      <Button size="xs" variant="default" leftSection={<IconCopy size={14} />} onClick={copy}>
        Copy as Markdown
      </Button>
      <Button size="xs" leftSection={<IconPrinter size={14} />} onClick={() => print()}>
        Print
      </Button>
    </Group>
  )
}
