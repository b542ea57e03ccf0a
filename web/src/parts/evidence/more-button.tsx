import { Button } from '@mantine/core'
import { t } from '../../language/messages.ts'

interface Props {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** Reads the next page of a list; nothing at its end. */
export const MoreButton = ({ query }: Props) =>
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
