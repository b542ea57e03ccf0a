import { useEffect } from 'react'

interface Paged {
  readonly hasNextPage: boolean
  readonly isFetching: boolean
  readonly isError: boolean
  readonly fetchNextPage: () => unknown
  readonly data: { readonly pages: readonly unknown[] } | undefined
}

/** Goes on reading a list until its end, or until so many pages are there: for choices and charts, which want all of it. */
export const useEveryPage = ({ hasNextPage, isFetching, isError, fetchNextPage, data }: Paged, most = 20): void => {
  const wanted = hasNextPage && !isFetching && !isError && (data?.pages.length ?? 0) < most
  useEffect(() => {
    if (wanted) fetchNextPage()
  }, [wanted, fetchNextPage])
}
