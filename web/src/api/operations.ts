import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { CallResult } from '../../../query-api/operations/call/contract.ts'
import type { Operations } from '../../../query-api/operations/registry.ts'
import type { MemberRole } from '../../../schemas/domain/vocabulary.ts'
import { hasServiceWords, readServiceWords, watchServiceWords } from '../language/messages.ts'
import { goToSignIn, workspaceHeaders } from './accounts.ts'
import { createGuard } from './guard.ts'
import { asksAgainIn, Problem, post } from './http.ts'

export type OperationName = keyof Operations
export type Input<Name extends OperationName> = Operations[Name]['input']
export type Output<Name extends OperationName> = Operations[Name]['output']

export interface Answer<Name extends OperationName> {
  readonly data: Output<Name>
  readonly meta: CallResult['meta']
}

interface Options {
  readonly signal?: AbortSignal
  /** Makes a repeated write happen once. */
  readonly idempotency_key?: string
  /** It arrives even when the page is left meanwhile. */
  readonly keepalive?: boolean
}

/**
 * Calls an operation as the signed-in person, in the chosen workspace. Rejects with a Problem; without a session,
 * leaves for the sign-in.
 */
export const call = async <Name extends OperationName>(
  operation: Name,
  input: Input<Name>,
  { signal, idempotency_key, keepalive = false }: Options = {},
): Promise<Answer<Name>> => {
  const headers = {
    ...workspaceHeaders(),
    ...(idempotency_key !== undefined && { 'x-idempotency-key': idempotency_key }),
  }
  try {
    return await post<Answer<Name>>(`/api/app/${operation}`, input, { headers, signal, keepalive })
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthorized') goToSignIn()
    throw error
  }
}

/**
 * The idempotency keys of writes that are under way, or whose answer never told that they were done: by what they ask
 * for. Whoever asks for the same again before it is done means the same, and has it once.
 */
const unsettled = new Map<string, string>()
const MAX_UNSETTLED = 100

/** The key under which this is asked for: the one of before, unless something else was asked for or that was done. */
const keyFor = (request: string): string => {
  const key = unsettled.get(request) ?? newIdempotencyKey()
  unsettled.set(request, key)
  for (const oldest of unsettled.keys()) {
    if (unsettled.size <= MAX_UNSETTLED) break
    unsettled.delete(oldest)
  }
  return key
}

/**
 * Calls a write so that it happens once: when its answer is lost on the way, it is asked for again under the same
 * idempotency key.
 */
export const callOnce = async <Name extends OperationName>(
  operation: Name,
  input: Input<Name>,
  { keepalive = false }: Pick<Options, 'keepalive'> = {},
): Promise<Answer<Name>> => {
  const request = JSON.stringify([operation, input, workspaceHeaders()])
  const idempotency_key = keyFor(request)
  const ask = () => call(operation, input, { idempotency_key, keepalive })
  const answer = await ask().catch(error => {
    if (error instanceof Problem && error.code === 'unreachable') return ask()
    throw error
  })
  unsettled.delete(request)
  // What it came to is told once, in a notice.
  await readServiceWords()
  return answer
}

/** Random, and without `crypto.randomUUID`, which a browser lacks where the service is reached without TLS. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

interface ReadOptions {
  /** False: nothing is asked. */
  readonly enabled?: boolean
  /** Asks again by itself, in milliseconds. Unless given, only while something is away. */
  readonly refresh_ms?: number | false
  /** Shows what was read for the input before until the new input’s answer is there, as filters want it. */
  readonly keep?: boolean
}

/**
 * As often as the reader asked for, and sooner while something is away: what a screen waits for is there soon after it
 * is back.
 */
const refreshedIn =
  (refresh_ms: number | false) =>
  ({ state: { error } }: { readonly state: { readonly error: unknown } }): number | false => {
    const again = asksAgainIn(error)
    return again === false || refresh_ms === false ? again || refresh_ms : Math.min(again, refresh_ms)
  }

interface PagesOptions<Name extends OperationName, Fields> extends Omit<ReadOptions, 'keep'> {
  /** As of `useOperation`; or for which input before it is shown. */
  readonly keep?: boolean | ((before: Fields) => boolean)
  /** Reads the first page in place of a call of its own, where it comes together with others. */
  readonly readFirst?: (input: Fields) => Promise<Answer<Name>>
}

/**
 * Under which key the answers of an operation are kept, or one of them; for reading, filling in and invalidating them.
 */
export const operationKey = <Name extends OperationName>(operation: Name, input?: Input<Name>): QueryKey =>
  input === undefined ? [operation] : [operation, input]

/** What was read is shown anew once the chosen language has words for what the service says in it. */
const useServiceWords = (): boolean => useSyncExternalStore(watchServiceWords, hasServiceWords)

/** Reads an operation’s `data`, kept by its name and input. */
export const useOperation = <Name extends OperationName>(
  operation: Name,
  input: Input<Name>,
  { enabled = true, refresh_ms, keep = false }: ReadOptions = {},
) => {
  useServiceWords()
  return useQuery<Output<Name>, Problem>({
    queryKey: operationKey(operation, input),
    queryFn: async ({ signal }) => (await call(operation, input, { signal })).data,
    enabled,
    ...(refresh_ms !== undefined && { refetchInterval: refreshedIn(refresh_ms) }),
    ...(keep && { placeholderData: keepPreviousData }),
  })
}

/** Operations that answer in pages: each names the cursor of the next. */
type PagedName = {
  [Name in OperationName]: 'cursor' extends keyof Input<Name> ? Name : never
}[OperationName]

/**
 * Reads an operation page by page: `pages` are the answers read so far, `first` is the first of them, `fetchNextPage`
 * is for more.
 */
export const usePages = <Name extends PagedName>(
  operation: Name,
  input: Omit<Input<Name>, 'cursor'>,
  { enabled = true, refresh_ms, keep = false, readFirst }: PagesOptions<Name, Omit<Input<Name>, 'cursor'>> = {},
) => {
  type Fields = typeof input
  useServiceWords()
  const isKept = (before: Fields) => (typeof keep === 'function' ? keep(before) : keep)
  const query = useInfiniteQuery({
    // Apart from `useOperation` of the same input, whose answer has another shape.
    queryKey: [operation, input, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      pageParam === null && readFirst !== undefined
        ? readFirst(input)
        : // The cursor completes the input that `Omit` took it from, which the compiler does not see for a type yet
          // unknown.
          call(operation, { ...input, ...(pageParam !== null && { cursor: pageParam }) } as Input<Name>, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    enabled,
    ...(refresh_ms !== undefined && { refetchInterval: refreshedIn(refresh_ms) }),
    placeholderData: (data, before) =>
      // Its key is as above.
      before !== undefined && isKept(before.queryKey[1] as Fields) ? data : undefined,
  })
  const pages = query.data?.pages.map(({ data }) => data) ?? []
  // Only `call` rejects there, and it does with a Problem.
  return { ...query, error: query.error as Problem | null, pages, first: pages[0] }
}

/** Operations that answer a list in pages. */
type ListName = {
  [Name in PagedName]: Output<Name> extends { readonly items: readonly unknown[] } ? Name : never
}[PagedName]
type Item<Name extends ListName> = Output<Name>['items'][number]

/** Reads a list page by page: `items` of all pages read so far. */
export const useOperationPages = <Name extends ListName>(
  operation: Name,
  input: Omit<Input<Name>, 'cursor'>,
  options?: PagesOptions<Name, Omit<Input<Name>, 'cursor'>>,
) => {
  const query = usePages(operation, input, options)
  // For one operation all pages have items of one type; over all of them the compiler sees the union.
  return { ...query, items: query.pages.flatMap(({ items }) => items as readonly Item<Name>[]) }
}

interface WriteOptions<Data, Fields> {
  /** The reads that are asked again once it is done. */
  readonly invalidates?: readonly OperationName[]
  readonly onSuccess?: (data: Data, fields: Fields) => unknown
  /**
   * Goes on to what was made. Not where the person has closed the dialog, or gone to another page, while it was on its
   * way.
   */
  readonly goOn?: (data: Data, fields: Fields) => unknown
  readonly onError?: (error: Problem) => unknown
  /** Once it is done the page is left: it is busy until then. */
  readonly leavesPage?: boolean
}

/**
 * A write, sent once however often `mutate` is called: while the same is under way it is not sent again. Every write of
 * the app goes through it; a dialog takes it as its `change`. Answers what `write` does; fails with a Problem.
 */
export const useWrite = <Data, Fields>(
  write: (fields: Fields) => Promise<Data>,
  { invalidates = [], onSuccess, goOn, onError, leavesPage = false }: WriteOptions<Data, Fields> = {},
) => {
  const queries = useQueryClient()
  const [guard] = useState(createGuard)
  useEffect(() => (leavesPage ? guard.hold() : undefined), [leavesPage, guard])
  const { mutate: _, ...change } = useMutation<Data, Problem, Fields>({
    mutationFn: async fields => {
      const data = await write(fields)
      guard.succeed()
      return data
    },
    onSuccess: async (data, fields) => {
      await onSuccess?.(data, fields)
      await Promise.all(invalidates.map(name => queries.invalidateQueries({ queryKey: operationKey(name) })))
    },
    // What failed is said at once, whatever is read again for it.
    onError: error => void onError?.(error),
  })
  const { mutateAsync } = change
  /** Whoever asked is told once what it changed was read again, even when what they asked with is gone by then. */
  const mutate = (fields: Fields, callbacks: Pick<WriteOptions<Data, Fields>, 'onSuccess' | 'onError'> = {}): void => {
    const request = JSON.stringify(fields)
    if (!guard.begin(request)) return
    const from = location.pathname
    void mutateAsync(fields)
      .then(
        data => {
          callbacks.onSuccess?.(data, fields)
          if (!guard.isLeft(request) && location.pathname === from) goOn?.(data, fields)
        },
        error => callbacks.onError?.(error),
      )
      .finally(() => guard.end(request))
  }
  return { ...change, mutate, guard }
}

/** An operation that writes. Answers its `data`. */
export const useChange = <Name extends OperationName>(
  operation: Name,
  options: WriteOptions<Output<Name>, Input<Name>> = {},
) => useWrite(async (input: Input<Name>) => (await callOnce(operation, input)).data, options)

interface Paged {
  readonly hasNextPage: boolean
  readonly isFetching: boolean
  readonly isError: boolean
  readonly fetchNextPage: () => unknown
  readonly data: { readonly pages: readonly unknown[] } | undefined
}

/**
 * Goes on reading a list until its end, or until so many pages are there: for choices and charts, which want all of it.
 */
export const useEveryPage = ({ hasNextPage, isFetching, isError, fetchNextPage, data }: Paged, most = 20): void => {
  const wanted = hasNextPage && !isFetching && !isError && (data?.pages.length ?? 0) < most
  useEffect(() => {
    if (wanted) fetchNextPage()
  }, [wanted, fetchNextPage])
}

/** The person’s role in the workspace that the app works in; undefined until it is known. */
export const useRole = (): MemberRole | undefined =>
  useOperation('list_workspaces', {}).data?.items.find(({ current }) => current)?.role

/** Whether the person may change things here. What may not be done is not offered; the service refuses it anyway. */
export const useCanEdit = (): boolean => {
  const role = useRole()
  return role === 'owner' || role === 'member'
}
