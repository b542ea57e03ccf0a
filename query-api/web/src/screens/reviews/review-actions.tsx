import { Button } from '@mantine/core'
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
    <>
      <Button size="sm" variant="default" leftSection={<IconCopy size={16} />} onClick={copy} data-chrome>
        Copy as Markdown
      </Button>
      <Button size="sm" leftSection={<IconPrinter size={16} />} onClick={() => print()} data-chrome>
        Print
      </Button>
    </>
  )
}
