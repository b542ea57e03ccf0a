import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { CallResult } from '../../../query-api/operations/call/contract.ts'
import type { Operations } from '../../../query-api/operations/registry.ts'
import type { MemberRole } from '../../../schemas/domain/vocabulary.ts'
import { hasServiceWords, readServiceWords, watchServiceWords } from '../language/messages.ts'
import { goToSignIn, workspaceHeaders } from './accounts.ts'
import { pathInApp } from './addresses.ts'
import { createGuard } from './guard.ts'
import { asksAgainIn, isSavedBefore, isSignedOut, isUnknown, Problem, post, savedBefore } from './http.ts'
import { keyFor, settle } from './idempotency-keys.ts'
import { noteSession } from './session.ts'

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
  /** The request completes even when the page is left. */
  readonly keepalive?: boolean
  /** Another workspace than the app's, by its id or slug. */
  readonly workspace?: string | undefined
}

/** The service's time of the newest answer that this page has, ms. */
let newestAnswer = 0
/** The programs of an installation may differ by so much in their time. */
const CLOCKS_MS = 2000

/**
 * Calls an operation as the signed-in person in the chosen workspace. Rejects with a Problem; goes to the sign-in
 * without a session.
 */
export const call = async <Name extends OperationName>(
  operation: Name,
  input: Input<Name>,
  { signal, idempotency_key, keepalive = false, workspace }: Options = {},
): Promise<Answer<Name>> => {
  const headers = {
    ...workspaceHeaders(workspace),
    ...(idempotency_key !== undefined && { 'x-idempotency-key': idempotency_key }),
  }
  const send = async () => {
    const answer = await post<Answer<Name>>(`/api/app/${operation}`, input, { headers, signal, keepalive })
    newestAnswer = Math.max(newestAnswer, Date.parse(answer.meta.timestamp))
    return answer
  }
  const isSessionNew = noteSession()
  return send()
    .catch(async error => (isSignedOut(error) && (await isSessionNew()) ? send() : Promise.reject(error)))
    .catch(error => {
      if (isSignedOut(error)) goToSignIn()
      throw error
    })
}

interface OnceOptions extends Pick<Options, 'keepalive' | 'workspace'> {
  /** The sent draft: until its success is known, every text of the draft has the same key. */
  readonly draft?: string | undefined
  /** The first answer is what is wanted, however old: of an undo, or where the person asks what became of a call. */
  readonly asks?: boolean
}

/**
 * Calls a write that happens once: when its answer is lost, the call is repeated under the same idempotency key. The
 * same input, or another text of the same draft, keeps the key until a result is known. What was done by a call of long
 * ago may have been changed by others since: that is no success of this one, and rejects.
 */
export const callOnce = async <Name extends OperationName>(
  operation: Name,
  input: Input<Name>,
  { keepalive = false, workspace, draft, asks = draft !== undefined }: OnceOptions = {},
): Promise<Answer<Name>> => {
  const request = JSON.stringify([operation, draft ?? input, workspaceHeaders(workspace)])
  const idempotency_key = keyFor(request)
  const ask = () => call(operation, input, { idempotency_key, keepalive, workspace })
  const readAt = newestAnswer
  const answer = await ask()
    .catch(error => {
      if (error instanceof Problem && error.code === 'unreachable') return ask()
      throw error
    })
    .catch(error => {
      // The first text of the draft was saved, so the next one gets another key.
      if (isSavedBefore(error)) settle(request)
      throw error
    })
  settle(request)
  if (!asks && Date.parse(answer.meta.timestamp) < readAt - CLOCKS_MS) throw savedBefore()
  // A notice shows the result only once, so its words are loaded before.
  await readServiceWords()
  return answer
}

/** `callOnce` as a write of a form gets it: sent again, it asks what became of the first. */
export type CallOnce = typeof callOnce

const onceIn =
  (isAgain: boolean): CallOnce =>
  (operation, input, options) =>
    callOnce(operation, input, { ...options, ...(isAgain && { asks: true }) })

interface ReadOptions {
  /** False to skip the read. */
  readonly enabled?: boolean
  /** Time between repeated reads, ms. By default reads are repeated only while a store is unavailable. */
  readonly refresh_ms?: number | false
  /** Shows the earlier input's data until the new input's answer arrives, for filters. */
  readonly keep?: boolean
}

/**
 * The requested interval, or a shorter one while a store is unavailable, so that the data appears soon after the store
 * is back.
 */
const refreshedIn =
  (refresh_ms: number | false) =>
  ({ state: { error } }: { readonly state: { readonly error: unknown } }): number | false => {
    const again = asksAgainIn(error)
    return again === false || refresh_ms === false ? again || refresh_ms : Math.min(again, refresh_ms)
  }

interface PagesOptions<Name extends OperationName, Fields> extends Omit<ReadOptions, 'keep'> {
  /** Like `useOperation`; or a test of the earlier input. */
  readonly keep?: boolean | ((before: Fields) => boolean)
  /** Reads the first page together with other data, instead of by its own call. */
  readonly readFirst?: (input: Fields) => Promise<Answer<Name>>
}

/** Cache key of an operation's answers, or of one answer; for reading, filling and invalidating them. */
export const operationKey = <Name extends OperationName>(operation: Name, input?: Input<Name>): QueryKey =>
  input === undefined ? [operation] : [operation, input]

/** Renders again when the chosen language's words for the service's texts are loaded. */
const useServiceWords = (): boolean => useSyncExternalStore(watchServiceWords, hasServiceWords)

/** Reads an operation's `data`, cached by name and input. */
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

/** Operations with pages, each with the next page's cursor. */
type PagedName = {
  [Name in OperationName]: 'cursor' extends keyof Input<Name> ? Name : never
}[OperationName]

/**
 * Reads an operation page by page: `pages` has the answers so far, `first` the first one; `fetchNextPage` reads more.
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
    // Separate from `useOperation` with the same input, whose answer has another shape.
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
      // The key has the form above.
      before !== undefined && isKept(before.queryKey[1] as Fields) ? data : undefined,
  })
  const pages = query.data?.pages.map(({ data }) => data) ?? []
  // Only `call` rejects here, with a Problem.
  return { ...query, error: query.error as Problem | null, pages, first: pages[0] }
}

/** Operations that answer a list in pages. */
type ListName = {
  [Name in PagedName]: Output<Name> extends { readonly items: readonly unknown[] } ? Name : never
}[PagedName]
type Item<Name extends ListName> = Output<Name>['items'][number]

/** Reads a list page by page: `items` has those of all pages so far. */
export const useOperationPages = <Name extends ListName>(
  operation: Name,
  input: Omit<Input<Name>, 'cursor'>,
  options?: PagesOptions<Name, Omit<Input<Name>, 'cursor'>>,
) => {
  const query = usePages(operation, input, options)
  // All pages of an operation have items of one type; the compiler sees the union over all operations.
  return { ...query, items: query.pages.flatMap(({ items }) => items as readonly Item<Name>[]) }
}

interface WriteOptions<Data, Fields> {
  /** Reads that are repeated after the write. */
  readonly invalidates?: readonly OperationName[]
  readonly onSuccess?: (data: Data, fields: Fields) => unknown
  /** Continues with the result, unless the person closed the dialog or left the page meanwhile. */
  readonly goOn?: (data: Data, fields: Fields) => unknown
  readonly onError?: (error: Problem) => unknown
  /** True when a success leaves the page, so that the write stays busy until then. */
  readonly leavesPage?: boolean
  /** Like `callOnce`. */
  readonly draft?: string | undefined
}

type Callbacks<Data, Fields> = Pick<WriteOptions<Data, Fields>, 'onSuccess' | 'onError'>

/**
 * A write that is sent once however often `mutate` is called: a running request is not sent again. Every write of the
 * app uses it; a dialog takes it as its `change`. Answers the result of `write`, which calls operations by the `once`
 * that it is given; fails with a Problem.
 */
export const useWrite = <Data, Fields>(
  write: (fields: Fields, once: CallOnce) => Promise<Data>,
  { invalidates = [], onSuccess, goOn, onError, leavesPage = false }: WriteOptions<Data, Fields> = {},
) => {
  const queries = useQueryClient()
  const [guard] = useState(createGuard)
  /** Sends again what was sent last, where its answer was lost. */
  const again = useRef<(() => void) | null>(null)
  const isSentAgain = useRef(false)
  useEffect(() => (leavesPage ? guard.hold() : undefined), [leavesPage, guard])
  const { mutate: _, ...change } = useMutation<Data, Problem, Fields>({
    mutationFn: async fields => {
      const data = await write(fields, onceIn(isSentAgain.current))
      guard.succeed()
      return data
    },
    onSuccess: async (data, fields) => {
      await onSuccess?.(data, fields)
      await Promise.all(invalidates.map(name => queries.invalidateQueries({ queryKey: operationKey(name) })))
    },
    // Errors show at once; when another person changed the object, everything on the screen is read again.
    onError: error => {
      void onError?.(error)
      if (error.isStale) void queries.invalidateQueries()
    },
  })
  const { mutateAsync } = change
  /** Callbacks run once, after the changed data was read again, even when the caller's component is gone. */
  const mutate = (fields: Fields, callbacks: Callbacks<Data, Fields> = {}, isAgain = false): void => {
    const request = JSON.stringify(fields)
    if (!guard.begin(request)) return
    again.current = () => mutate(fields, callbacks, true)
    isSentAgain.current = isAgain
    const from = pathInApp()
    void mutateAsync(fields)
      .then(
        data => {
          callbacks.onSuccess?.(data, fields)
          if (!guard.isLeft(request) && pathInApp() === from) goOn?.(data, fields)
        },
        error => callbacks.onError?.(error),
      )
      .finally(() => guard.end(request))
  }
  /** For a form: where the same was sent and its answer was lost, it asks what became of it. */
  const submit = (fields: Fields): void =>
    isUnknown(change.error) && JSON.stringify(change.variables) === JSON.stringify(fields)
      ? again.current?.()
      : mutate(fields)
  return { ...change, mutate, submit, guard, again: () => again.current?.() }
}

/** A writing operation. Answers its `data`. */
export const useChange = <Name extends OperationName>(
  operation: Name,
  options: WriteOptions<Output<Name>, Input<Name>> = {},
) =>
  useWrite(async (input: Input<Name>, once) => (await once(operation, input, { draft: options.draft })).data, options)

interface Paged {
  readonly hasNextPage: boolean
  readonly isFetching: boolean
  readonly isError: boolean
  readonly fetchNextPage: () => unknown
  readonly data: { readonly pages: readonly unknown[] } | undefined
}

/** Reads a list to its end, or to `most` pages: for choices and charts, which need all of it. */
export const useEveryPage = ({ hasNextPage, isFetching, isError, fetchNextPage, data }: Paged, most = 20): void => {
  const wanted = hasNextPage && !isFetching && !isError && (data?.pages.length ?? 0) < most
  useEffect(() => {
    if (wanted) fetchNextPage()
  }, [wanted, fetchNextPage])
}

/** The person's role in the app's workspace; undefined before it is known. */
export const useRole = (): MemberRole | undefined =>
  useOperation('list_workspaces', {}).data?.items.find(({ current }) => current)?.role

/** True when the person may change things here. The app hides forbidden actions; the service refuses them anyway. */
export const useCanEdit = (): boolean => {
  const role = useRole()
  return role === 'owner' || role === 'member'
}
