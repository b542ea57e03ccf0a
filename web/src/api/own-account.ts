import { useQueryClient } from '@tanstack/react-query'
import { get } from './get.ts'
import { useWrite } from './hooks.ts'
import { post } from './post.ts'
import { WAYS_KEY } from './sign-in-ways.ts'

/** Where the person is signed in. */
export interface OwnSession {
  readonly id: string
  /** Whether it is this browser. */
  readonly current: boolean
  readonly created_at: string
  readonly last_used_at: string
  readonly address: string | null
  readonly browser: string | null
}

export const SESSION_KEY = ['session'] as const
export const SESSIONS_KEY = ['sessions'] as const

export const readSessions = async (): Promise<readonly OwnSession[]> =>
  (await get<{ readonly items: readonly OwnSession[] }>('/api/auth/list-sessions')).items

/** Changes something of the person’s own account, and asks again who they are and where they are signed in. */
export const useAccountChange = <Fields extends object>(
  path: string,
  { onSuccess }: { readonly onSuccess?: () => unknown } = {},
) => {
  const queries = useQueryClient()
  return useWrite((fields: Fields) => post(`/api/auth/${path}`, fields), {
    onSuccess: async () => {
      await Promise.all([SESSION_KEY, SESSIONS_KEY, WAYS_KEY].map(queryKey => queries.invalidateQueries({ queryKey })))
      await onSuccess?.()
    },
  })
}

/** The same, of which the answer is shown once and kept nowhere. */
export const useAccountWrite = <Fields extends object, Answer>(path: string, onSuccess: (answer: Answer) => void) =>
  useWrite((fields: Fields) => post<Answer>(`/api/auth/${path}`, fields), { onSuccess })
